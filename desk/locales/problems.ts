import type {Locale} from '../../widgets/core/locale.ts';
import type {ErrorCode} from '../../worker/contract/codes.ts';

/** What the Worker or the platform refused, as people of the shop read it. A code without a sentence does not compile. */
const problems: Readonly<Record<ErrorCode | 'network' | 'unreadable', Readonly<Record<Locale, string>>>> = {
  network: {
    tr: 'Sunucuya ulaşılamadı. Bağlantınızı denetleyin.',
    en: 'The server was not reached. Check your connection.',
  },
  unreadable: {
    tr: 'Sunucunun yanıtı okunamadı. Yeniden deneyin.',
    en: 'The answer of the server could not be read. Try again.',
  },
  unauthorized: {
    tr: 'Anahtar kabul edilmedi. Kapsamı read olan, iptal edilmemiş bir anahtar girin.',
    en: 'The key was not accepted. Enter a key with the scope read that was not revoked.',
  },
  read_scope_missing: {
    tr: 'Bu anahtar okuyamaz. Kapsamı read olan bir anahtar gerekir.',
    en: 'This key may not read. A key with the scope read is needed.',
  },
  all_services_required: {
    tr: 'Bunu yalnız bütün hizmetleri gören bir anahtar görür.',
    en: 'Only a key that sees all services sees this.',
  },
  unknown_service: {
    tr: 'Bu hizmet yok, veya bu anahtar onu görmez.',
    en: 'There is no such service, or this key does not see it.',
  },
  unknown_order: {
    tr: 'Böyle bir sipariş yok, veya bu anahtar onu görmez.',
    en: 'There is no such order, or this key does not see it.',
  },
  not_found: {tr: 'Böyle bir kayıt yok.', en: 'There is no such record.'},
  invalid_request: {tr: 'Bu adres veya değer geçerli değil.', en: 'This address or value is not valid.'},
  rate_limited: {
    tr: 'Çok fazla istek geldi. Bir dakika sonra yeniden deneyin.',
    en: 'There were too many requests. Try again in a minute.',
  },
  temporarily_unavailable: {
    tr: 'Şu anda yanıt alınamıyor. Birazdan yeniden deneyin.',
    en: 'There is no answer at the moment. Try again soon.',
  },
  session_expired: {tr: 'Oturum sona erdi. Yeniden giriş yapın.', en: 'The session has ended. Sign in again.'},
  session_kind: {tr: 'Bu oturum bunu yapamaz.', en: 'This session may not do this.'},
  origin_not_allowed: {tr: 'İstek izin verilmeyen bir sayfadan geldi.', en: 'The request came from another page.'},
  method_not_allowed: {tr: 'Bu adres böyle bir istek almaz.', en: 'This address takes no such request.'},
  too_large: {tr: 'İstek çok büyük.', en: 'The request is too large.'},
  human_check_required: {tr: 'İnsan doğrulaması gerekiyor.', en: 'A human check is needed.'},
  human_check_failed: {tr: 'İnsan doğrulaması başarısız oldu.', en: 'The human check failed.'},
  unknown_offer: {tr: 'Böyle bir teklif yok.', en: 'There is no such offer.'},
  offer_expired: {tr: 'Teklifin süresi doldu.', en: 'The offer has expired.'},
  price_changed: {tr: 'Teklifin fiyatı değişti.', en: 'The offer has another price now.'},
  buyer_required: {tr: 'Alıcı bilgisi eksik veya yanlış.', en: 'The buyer is missing or wrong.'},
  handoff_invalid: {tr: 'Cihaz bağlantısı artık geçerli değil.', en: 'The hand-off is no longer valid.'},
  return_url_not_allowed: {tr: 'Dönüş adresine izin verilmiyor.', en: 'The return address is not allowed.'},
  order_exists: {tr: 'Sipariş başka koşullarla zaten var.', en: 'The order exists already, with other terms.'},
  order_cancelled: {tr: 'Sipariş iptal edilmiş.', en: 'The order is cancelled.'},
  order_paid: {tr: 'Sipariş zaten ödenmiş.', en: 'The order is already paid.'},
  bank_page_unavailable: {
    tr: 'Platformun banka sayfası bu kodu bilmeyebilir.',
    en: 'The platform’s bank page possibly does not know the code.',
  },
  amount_invalid: {tr: 'Platform bu tutarı kabul etmiyor.', en: 'The platform does not accept this amount.'},
  bank_invalid: {tr: 'Platform bu bankayı tanımıyor.', en: 'The platform does not know this bank.'},
  platform_refused: {tr: 'Platform isteği reddetti.', en: 'The platform refused the request.'},
  misconfigured: {tr: 'Ayarlar eksik veya yanlış.', en: 'The settings are incomplete or wrong.'},
  internal: {tr: 'Vezne’de bir hata oluştu.', en: 'Vezne had an internal error.'},
  number_invalid: {tr: 'Bu numara kabul edilmiyor.', en: 'This number is not accepted.'},
  operator_invalid: {tr: 'Numara bu operatörde değil.', en: 'The number belongs to another operator.'},
  pin_wrong: {tr: 'SMS kodu yanlış.', en: 'The PIN is wrong.'},
  pin_expired: {tr: 'SMS kodunun süresi doldu.', en: 'The PIN has expired.'},
  pin_blocked: {tr: 'SMS kodu çok kez yanlış girildi.', en: 'The PIN was wrong too often.'},
  one_click_off: {tr: 'Tek dokunuşla abonelik kapalı.', en: 'One-click is off.'},
  number_token_invalid: {tr: 'Operatörün numara bilgisi geçersiz.', en: 'The number token is not valid.'},
  not_eligible: {tr: 'Bu numara abone olamaz.', en: 'This number may not subscribe.'},
  already_subscribed: {tr: 'Numara zaten abone.', en: 'The number is subscribed already.'},
  subscription_failed: {tr: 'Operatör aboneliği başlatmadı.', en: 'The operator did not start the subscription.'},
  billing_cap_reached: {tr: 'Numaranın harcama sınırı doldu.', en: 'The number has reached its billing cap.'},
  daily_cap_reached: {tr: 'Numaranın günlük sınırı doldu.', en: 'The number has reached its cap of the day.'},
  test_mode: {tr: 'Açılış sayfası deneme kipinde.', en: 'The landing page is in test mode.'},
  landing_not_found: {tr: 'Böyle bir ürün yok.', en: 'There is no such product.'},
  subscription_not_found: {tr: 'Böyle bir abonelik yok.', en: 'There is no such subscription.'},
  already_cancelled: {tr: 'Abonelik zaten iptal edilmiş.', en: 'The subscription is cancelled already.'},
  cannot_cancel: {tr: 'Abonelik şu anda iptal edilemez.', en: 'The subscription cannot be cancelled now.'},
  outcome_unknown: {tr: 'Sonuç bilinmiyor.', en: 'The outcome is unknown.'},
  sessions_scope_missing: {tr: 'Anahtarın sessions kapsamı yok.', en: 'The key lacks the scope sessions.'},
  money_scope_missing: {tr: 'Anahtarın money kapsamı yok.', en: 'The key lacks the scope money.'},
  webhooks_scope_missing: {tr: 'Anahtarın webhooks kapsamı yok.', en: 'The key lacks the scope webhooks.'},
  offers_scope_missing: {tr: 'Anahtarın offers kapsamı yok.', en: 'The key lacks the scope offers.'},
  root_key_required: {tr: 'Bunu yalnız ana anahtar yapabilir.', en: 'Only the root key may do this.'},
  key_limit_reached: {tr: 'En çok 100 anahtar olabilir.', en: 'There are 100 keys already.'},
  idempotency_key_missing: {tr: 'İstekte Idempotency-Key yok.', en: 'The request has no Idempotency-Key.'},
  idempotency_key_reused: {
    tr: 'Idempotency-Key başka bir istekte kullanılmış.',
    en: 'The Idempotency-Key was used before.',
  },
  in_progress: {tr: 'Aynı istek hâlâ sürüyor.', en: 'The same request is still running.'},
  command_pending: {tr: 'Önceki işlem henüz sonuçlanmadı.', en: 'An earlier command has no result yet.'},
  not_done: {tr: 'Platformda bu işlemden iz yok.', en: 'The platform shows no sign of this command.'},
  offer_configured: {tr: 'Bu teklif ayarlarda duruyor.', en: 'The settings have this offer.'},
  service_not_enabled: {
    tr: 'Platform bunu bu hizmete açmamış.',
    en: 'The platform has not enabled this for the service.',
  },
  refund_too_large: {tr: 'İade, siparişin kalan parasından büyük.', en: 'The refund is more than what is left.'},
  already_refunded: {tr: 'Zaten iade edilmiş veya ediliyor.', en: 'It was refunded already, or is being refunded.'},
  test_number_refused: {tr: 'Bu bir deneme numarasına benziyor.', en: 'This looks like a test number.'},
  egress_unsafe: {
    tr: 'Bağlantı, isteğin yalnız bir kez gideceğini sağlayamıyor.',
    en: 'The connection cannot promise to send this only once.',
  },
  action_invalid: {tr: 'Platform buna şu anda izin vermiyor.', en: 'The platform does not allow this now.'},
  quota_exhausted: {tr: 'Platformun sınırı doldu.', en: 'The platform’s limit is used up.'},
  not_configured: {tr: 'Bu bölüm ayarlanmamış.', en: 'This is not configured.'},
  webhook_limit: {tr: 'Daha çok bildirim adresi olamaz.', en: 'There are as many webhooks as may be.'},
  rotation_limit: {tr: 'Beş imza anahtarı birden etkin.', en: 'Five secrets sign at present.'},
  webhook_configured: {tr: 'Bu bildirim adresi ayarlarda duruyor.', en: 'The settings have this webhook.'},
  platform_unauthorized: {
    tr: 'Platform, Vezne’nin kimliğini reddediyor.',
    en: 'The platform refuses Vezne’s credentials.',
  },
  platform_address_refused: {
    tr: 'Platform, Vezne’nin IP adresini reddediyor.',
    en: 'The platform refuses Vezne’s IP address.',
  },
};

/** Whether this page has a sentence for a code. */
export const isProblem = (code: string): code is keyof typeof problems => Object.hasOwn(problems, code);

/** One sentence about what was refused. */
export const explainProblem = (code: string, locale: Locale): string =>
  problems[isProblem(code) ? code : 'unreadable'][locale];
