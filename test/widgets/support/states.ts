/** The states of the elements, and how a test reaches each state. */

import {sendMouse} from '@web/test-runner-commands';
import type {HandoffLink} from '../../../widgets/transfer/purchase/handoff-link.ts';
import type {ErrorCode} from '../../../worker/contract/codes.ts';
import {
  FEW_BANKS,
  MANY_BANKS,
  PAYMENTS,
  VENDOR_FORM,
  bankList,
  orderCode,
  pinSent,
  session,
  subscription,
  terms,
} from '../stub-worker/answers.ts';
import type {Script} from '../stub-worker/script.ts';
import {installFakeTurnstile} from './fake-turnstile.ts';
import {chooseBank, clickOn, find, press, typeInto, until, untilText} from './page.ts';
import type {TestWorker} from './test-worker.ts';

export interface State {
  readonly markup: string;
  /** Whether a hand-off link opened the page. */
  readonly isLinked?: true;
  readonly script?: Partial<Script>;
  /** Runs before the element is added to the page. */
  readonly prepare?: () => void;
  readonly reach: (element: Element, worker: TestWorker) => Promise<void>;
  /** Waits until the element can be used again after its language has changed. */
  readonly settle?: (element: Element) => Promise<void>;
}

const showsText = (expected: string) => (element: Element) => untilText(element, expected);
const toCode = async (element: Element): Promise<void> => {
  await chooseBank(element, 'Çınar');
};
const showsSkeleton = async (element: Element): Promise<void> => {
  await until('the skeleton', () => find(element, '.skeleton'));
};

const list = '<vezne-bank-list offer="gold" lang="tr"></vezne-bank-list>';
export const code = '<vezne-payment-code offer="gold" bank="cinar" lang="tr"></vezne-payment-code>';
export const status = '<vezne-payment-status offer="gold" lang="tr"></vezne-payment-status>';
export const checkout = '<vezne-checkout offer="gold" lang="tr"></vezne-checkout>';
const pin = '<vezne-pin-subscribe offer="club" lang="tr"></vezne-pin-subscribe>';
const oneClick = '<vezne-one-click offer="club" number-token="7" lang="tr"></vezne-one-click>';
const membership =
  '<vezne-subscription session="management" lang="tr"><span slot="title">Fener Kulübü</span></vezne-subscription>';
const payButton = '<vezne-pay-button offer="gold" lang="tr"></vezne-pay-button>';
const notice = '<vezne-payment-notice offer="gold" lang="tr"></vezne-payment-notice>';
const askPin = async (element: Element): Promise<void> => {
  await clickOn(element, '[name=operator][value="4"]');
  await typeInto(element, '#number', '0532 123 45 67');
  await clickOn(element, '[name=consent]');
  await press(element, 'Onay kodu gönder');
};
const toPin = async (element: Element): Promise<void> => {
  await askPin(element);
  await untilText(element, 'SMS ile gelen kodu girin');
};
const enterPin = async (element: Element): Promise<void> => {
  await typeInto(element, '#pin', '1234');
  await press(element, 'Abone ol · ₺12,00 / hafta');
};
const canConfirm = async (element: Element): Promise<HTMLElement> => {
  scrollTo(0, 0);
  return until('the button', () => find(element, '#confirm:not([aria-disabled])'));
};
/** Waits for the time to read, and clicks with the mouse: the element ignores clicks by scripts. */
const confirmOneClick = async (element: Element): Promise<void> => {
  const confirm = await canConfirm(element);
  confirm.scrollIntoView({block: 'center'});
  const {x, y, width, height} = confirm.getBoundingClientRect();
  await sendMouse({type: 'click', position: [Math.round(x + width / 2), Math.round(y + height / 2)]});
};
const refusedNumber = (refusal: ErrorCode, title: string): State => ({
  markup: pin,
  script: {faults: {subscribe: {kind: 'problem', code: refusal}}},
  reach: async (element) => {
    await toPin(element);
    await enterPin(element);
    await untilText(element, title);
  },
});
const vendor = '<vezne-vendor-form session="vendor" lang="tr"></vezne-vendor-form>';
const formWith = (body: string) => ({...VENDOR_FORM, url: `/page?${new URLSearchParams({body})}`});
/** A form that reports its outcome as soon as it opens. */
const formWithOutcome = (outcome: string) =>
  formWith(
    `<script>parent.postMessage({type: 'vezne-vendor', outcome: '${outcome}', nonce: '${VENDOR_FORM.nonce}'}, '*')</script>`,
  );
/** Makes the browser refuse to copy, like some in-app browsers. */
const refuseCopying = (): void => {
  Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true});
  Object.defineProperty(document, 'execCommand', {value: () => false, configurable: true});
};
/** Changes the page's URL to the URL to which the platform sends the shopper back. */
const returnFrom = (hostedPage: string, outcome = 'success'): void => {
  const address = new URL(location.href);
  address.searchParams.set('vezne-return', `${hostedPage}.${outcome}`);
  history.replaceState(null, '', address);
};
const humanCheckRequired: Partial<Script> = {
  terms: terms({human_check: {sitekey: '1x00000000000000000000AA', action: 'pin'}}),
  faults: {pin: {kind: 'problem', code: 'human_check_required'}},
};
const unavailable = {kind: 'problem', code: 'temporarily_unavailable'} as const;

const SELLER = {
  name: 'Fener Atölyesi',
  support_url: 'https://shop.example/help',
  support_email: 'help@shop.example',
  support_phone: '0850 000 00 00',
};
/** The states of a payment without a card at the end. */
const WAITING: ReadonlySet<string> = new Set(['waiting', 'partial']);
const NOTICE = {at: '2026-11-21T15:42:00+03:00', bank: 'toros', amount: '149.90', sent: null};

export const STATES: Readonly<Record<string, State>> = {
  'a bank list': {markup: list, reach: (element) => chooseBank(element, 'Toros')},
  'a bank list with many banks': {markup: list, script: {banks: bankList(MANY_BANKS)}, reach: showsText('Işık')},
  'a stale bank list': {markup: list, script: {banks: bankList(FEW_BANKS, true)}, reach: showsText('güncellenemiyor')},
  'an empty bank list': {markup: list, script: {banks: bankList([])}, reach: showsText('bir hesap yok')},
  'a bank list that is loading': {markup: list, script: {faults: {banks: {kind: 'held'}}}, reach: showsSkeleton},
  'a bank list that failed': {markup: list, script: {faults: {banks: unavailable}}, reach: showsText('yanıt vermiyor')},
  'a bank list without a match': {
    markup: list,
    script: {banks: bankList(MANY_BANKS)},
    reach: async (element) => {
      const field = await until('the search', () => find<HTMLInputElement>(element, 'input[type=search]'));
      field.value = 'zzz';
      field.dispatchEvent(new InputEvent('input'));
      await untilText(element, 'eşleşen banka bulunamadı');
    },
  },
  'an order code': {markup: code, reach: showsText('Çınar Bankası')},
  'an order code that was copied': {
    markup: code,
    reach: async (element) => {
      await press(element, 'Kodu kopyala');
      await until('an outcome', () => find(element, '.copied, .copy-fallback'));
    },
  },
  'an order code with its QR code': {
    markup: code,
    reach: async (element) => {
      await press(element, 'Telefonda aç');
      await until('the QR code', () => find(element, 'svg.qr'));
    },
  },
  'an order code that was opened on a phone': {
    markup: code,
    reach: async (element, worker) => {
      await untilText(element, 'Telefonda aç');
      await until('the payment', async () => (await worker.sockets()) === 1);
      await press(element, 'Telefonda aç');
      await until('the QR code', () => find(element, 'svg.qr'));
      await worker.send({...PAYMENTS.waiting, handed_over_at: '2026-11-21T15:43:00+03:00'});
      await untilText(element, 'Telefonda açıldı');
    },
  },
  'an order code whose session has ended': {
    markup: code,
    reach: async (element, worker) => {
      await until('the payment', async () => (await worker.sockets()) === 1);
      await worker.script({token: 'another', sockets: 'refused'});
      await worker.dropSockets();
      await untilText(element, 'artık buradan izlenemiyor');
    },
  },
  'a QR code that failed': {
    markup: code,
    script: {faults: {handoff: unavailable}},
    reach: async (element) => {
      await press(element, 'Telefonda aç');
      await untilText(element, 'Karekod oluşturulamadı');
    },
  },
  'an order code without a bank': {
    markup: code.replace('bank="cinar"', 'bank="gone"'),
    reach: showsText('artık listede değil'),
  },
  'an order code that is loading': {markup: code, script: {faults: {code: {kind: 'held'}}}, reach: showsSkeleton},
  'an order code that failed': {
    markup: code,
    script: {faults: {code: unavailable}},
    reach: showsText('yanıt vermiyor'),
  },
  'an order code that is paid': {markup: code, script: {payment: PAYMENTS.paid}, reach: showsText('Ödemeniz alındı')},
  'a payment that is loading': {
    markup: status,
    script: {faults: {payment: {kind: 'held'}}, sockets: 'silent'},
    reach: showsSkeleton,
  },
  'a payment that failed': {
    markup: status,
    script: {faults: {payment: {kind: 'problem', code: 'origin_not_allowed'}}, sockets: 'refused'},
    reach: showsText('ödeme alınamıyor'),
  },
  'a payment without a connection': {
    markup: status,
    reach: async (element, worker) => {
      await untilText(element, 'bekliyoruz');
      await worker.script({sockets: 'refused', faults: {payment: {kind: 'reset'}}});
      await worker.dropSockets();
      await untilText(element, 'Bağlantı kurulamıyor');
    },
  },
  ...Object.fromEntries(
    Object.entries(PAYMENTS).map(([state, payment]): [string, State] => [
      `a payment that is ${state}`,
      {
        markup: status,
        script: {payment, code: orderCode({seller: SELLER})},
        reach: async (element) => {
          await until(state, () => find(element, WAITING.has(state) ? '.words' : '.result'));
        },
      },
    ]),
  ),
  'a new checkout': {markup: checkout, reach: showsText('Çınar')},
  'a checkout that asks about a link': {
    markup: checkout,
    isLinked: true,
    reach: showsText('sipariş burada açılsın mı?'),
  },
  'a checkout that is loading': {markup: checkout, script: {faults: {session: {kind: 'held'}}}, reach: showsSkeleton},
  'a checkout that failed': {
    markup: checkout,
    script: {faults: {session: {kind: 'problem', code: 'unknown_offer'}}},
    reach: showsText('satışta değil'),
  },
  'a checkout whose search finds no bank': {
    markup: checkout,
    script: {banks: bankList(MANY_BANKS)},
    reach: async (element) => {
      await typeInto(element, 'input[type=search]', 'zzz');
      await untilText(element, 'eşleşen banka bulunamadı');
    },
  },
  'a checkout with an order code': {
    markup: checkout,
    reach: async (element) => {
      await toCode(element);
      await untilText(element, 'Ödemenizi bekliyoruz');
      await untilText(element, 'IBAN');
    },
  },
  'a checkout that is partly paid': {
    markup: checkout,
    script: {payment: PAYMENTS.partial},
    reach: async (element) => {
      await toCode(element);
      await untilText(element, 'Kalan tutar');
    },
  },
  'a checkout whose shopper has sent the money': {
    markup: checkout,
    reach: async (element) => {
      await toCode(element);
      await press(element, 'Parayı gönderdim');
      await untilText(element, 'Ödeme bilgilerini göster');
    },
  },
  'a checkout whose shopper has forgotten the code': {
    markup: checkout,
    reach: async (element) => {
      await toCode(element);
      await press(element, 'Kodu yazmayı unuttum');
      await untilText(element, 'Ödememi bildir');
    },
  },
  'a checkout that checks a payment notice': {
    markup: checkout,
    script: {payment: {...PAYMENTS.waiting, notice: {...NOTICE, sent: false}}},
    prepare: () => returnFrom('notice', 'done'),
    reach: async (element) => {
      await toCode(element);
      await untilText(element, 'Bildiriminizi kontrol ediyoruz');
    },
  },
  'a checkout with a payment notice that was sent': {
    markup: checkout,
    script: {payment: {...PAYMENTS.waiting, notice: {...NOTICE, sent: true}}},
    reach: async (element) => {
      await toCode(element);
      await untilText(element, 'Ödemenizi arıyoruz');
    },
  },
  'a checkout of an expired order whose money is sent': {
    markup: checkout,
    script: {code: orderCode({seller: SELLER})},
    reach: async (element, worker) => {
      await toCode(element);
      await press(element, 'Parayı gönderdim');
      await untilText(element, 'yeniden göndermeyin');
      await worker.send(PAYMENTS.expired);
      await untilText(element, 'Satıcıya yazın');
    },
  },
  'a checkout with a payment notice that was not submitted': {
    markup: checkout,
    script: {payment: {...PAYMENTS.waiting, notice: {...NOTICE, sent: false}}},
    reach: async (element) => {
      await toCode(element);
      await untilText(element, 'Bildirimi tamamla');
    },
  },
  'a checkout of an expired order': {
    markup: checkout,
    script: {payment: PAYMENTS.expired, code: orderCode({seller: SELLER})},
    reach: async (element) => {
      await toCode(element);
      await untilText(element, 'Ödeme bilgilerini göster');
    },
  },
  'a checkout with money that could not be matched': {
    markup: checkout,
    script: {payment: PAYMENTS.unclear, code: orderCode({seller: SELLER})},
    reach: async (element) => {
      await toCode(element);
      await untilText(element, 'Satıcıya yazın');
    },
  },
  'a checkout that is paid': {
    markup: checkout,
    script: {payment: PAYMENTS.paid},
    reach: async (element) => {
      await toCode(element);
      await untilText(element, 'Ödemeniz alındı');
    },
  },
  'a subscription form': {markup: pin, reach: showsText('Onay kodu gönder')},
  'a subscription form that was sent empty': {
    markup: pin,
    reach: async (element) => {
      await press(element, 'Onay kodu gönder');
      await untilText(element, 'Operatörünüzü seçin.');
    },
  },
  'a PIN form': {markup: pin, reach: toPin},
  'a PIN form with a wrong PIN': {
    markup: pin,
    script: {faults: {subscribe: {kind: 'problem', code: 'pin_wrong'}}},
    reach: async (element) => {
      await toPin(element);
      await enterPin(element);
      await untilText(element, 'Kod yanlış');
    },
  },
  'a PIN form with a blocked PIN, after another PIN was sent': {
    markup: pin,
    script: {pin: pinSent({resendInMs: 0}), faults: {subscribe: {kind: 'problem', code: 'pin_blocked'}}},
    reach: async (element) => {
      await toPin(element);
      await press(element, 'Yeni kod iste');
      await untilText(element, 'yeni bir kod gönderdik');
      await enterPin(element);
      await untilText(element, 'Bu kod artık kullanılamaz.');
    },
  },
  'a PIN form with a blocked PIN, before another PIN can be requested': {
    markup: pin,
    script: {faults: {subscribe: {kind: 'problem', code: 'pin_blocked'}}},
    reach: async (element) => {
      await toPin(element);
      await enterPin(element);
      await untilText(element, 'Bu kod artık kullanılamaz.');
    },
  },
  'a subscription form whose shopper must wait before requesting another PIN': {
    markup: pin,
    script: {faults: {pin: {kind: 'problem', code: 'rate_limited', retryAfter: 82_800}}},
    reach: async (element) => {
      await askPin(element);
      await untilText(element, 'Kodum var');
    },
  },
  'a PIN form with few attempts left': {
    markup: pin,
    script: {faults: {subscribe: {kind: 'problem', code: 'pin_wrong', attemptsLeft: 2}}},
    reach: async (element) => {
      await toPin(element);
      await enterPin(element);
      await untilText(element, '2 hakkınız kaldı');
    },
  },
  'a PIN form with an expired PIN': {
    markup: pin,
    script: {pin: pinSent({expiresInMs: 1_000, resendInMs: 0})},
    reach: async (element) => {
      await toPin(element);
      await untilText(element, 'Kodun süresi doldu');
    },
  },
  'a PIN form that waits for the answer': {
    markup: pin,
    script: {faults: {subscribe: {kind: 'held'}}},
    reach: async (element) => {
      await toPin(element);
      await enterPin(element);
      await untilText(element, 'Aboneliğiniz başlatılıyor…');
    },
  },
  'a number that has the subscription already': refusedNumber('already_subscribed', 'Zaten abonesiniz'),
  'a number that cannot be subscribed': refusedNumber('not_eligible', 'Bu numara abone olamıyor'),
  'a subscription that has started': {
    markup: pin,
    reach: async (element) => {
      await toPin(element);
      await enterPin(element);
      await untilText(element, 'Aboneliğiniz başladı');
    },
  },
  'a payment notice form': {markup: notice, reach: showsText('Ödememi bildir')},
  'a payment notice form that was sent empty': {
    markup: notice,
    reach: async (element) => {
      await until('the amount of the order', () => find<HTMLInputElement>(element, '#amount')?.value);
      await press(element, 'Ödememi bildir');
      await untilText(element, 'Parayı gönderdiğiniz tarihi ve saati seçin.');
    },
  },
  'a pay button': {markup: payButton, reach: showsText('Havale / EFT / FAST ile öde')},
  'an active subscription': {markup: membership, reach: showsText('Aboneliği iptal et')},
  'a subscription with the question whether to cancel it': {
    markup: membership,
    reach: async (element) => {
      await press(element, 'Aboneliği iptal et');
      await untilText(element, 'iptal edilsin mi?');
    },
  },
  'a subscription that the shopper has cancelled': {
    markup: membership,
    reach: async (element) => {
      await press(element, 'Aboneliği iptal et');
      await press(element, 'Evet, iptal et');
      await untilText(element, 'Aboneliğiniz iptal edildi');
    },
  },
  'a subscription that was cancelled before': {
    markup: membership,
    script: {subscription: subscription({state: 'cancelled', cancelled_at: '2026-11-21T15:42:00+03:00'})},
    reach: showsText('Aboneliğiniz iptal edildi'),
  },
  'a subscription whose payment is retried': {
    markup: membership,
    script: {subscription: subscription({state: 'retry'})},
    reach: showsText('Ödeme yeniden denenecek.'),
  },
  'a subscription that is paused': {
    markup: membership,
    script: {subscription: subscription({state: 'suspend'})},
    reach: showsText('Durduruldu'),
  },
  'a subscription that the operator has rejected': {
    markup: membership,
    script: {subscription: subscription({state: 'rejected'})},
    reach: showsText('Onaylanmadı'),
  },
  'a subscription of which only the id is known': {
    markup: membership,
    script: {
      subscription: subscription({
        state: 'unknown',
        msisdn: null,
        price: null,
        period: null,
        subscribed_at: null,
        renews_at: null,
      }),
    },
    reach: showsText('Aboneliğinizi buradan iptal edebilirsiniz.'),
  },
  'a subscription that cannot be cancelled': {
    markup: membership,
    script: {faults: {cancel: {kind: 'problem', code: 'cannot_cancel'}}},
    reach: async (element) => {
      await press(element, 'Aboneliği iptal et');
      await press(element, 'Evet, iptal et');
      await untilText(element, 'şu an iptal edilemiyor');
    },
  },
  // This state is before all others with a human check, because a page loads the script only once.
  'a human check that does not load': {
    markup: pin,
    script: humanCheckRequired,
    prepare: () => installFakeTurnstile({loads: false}),
    reach: async (element) => {
      await askPin(element);
      await untilText(element, 'Doğrulama yüklenemedi.');
    },
    settle: async (element) => {
      await clickOn(element, '[type=submit]');
      await untilText(element, (element as HTMLElement).lang === 'tr' ? 'Doğrulama yüklenemedi.' : 'couldn’t load');
    },
  },
  'a human check before a PIN': {
    markup: pin,
    script: humanCheckRequired,
    prepare: installFakeTurnstile,
    reach: async (element) => {
      await askPin(element);
      await until('the check', () => find(element, '[slot=human-check] button'));
    },
  },
  'a human check that failed': {
    markup: pin,
    script: {...humanCheckRequired, faults: {pin: {kind: 'problem', code: 'human_check_failed'}}},
    prepare: installFakeTurnstile,
    reach: async (element) => {
      await askPin(element);
      await untilText(element, 'Doğrulama tamamlanamadı');
      await until('the check', () => find(element, '[slot=human-check] button'));
    },
  },
  'a human check before an order code': {
    markup: checkout,
    script: {
      session: session({human_check: {sitekey: '1x00000000000000000000AA', action: 'order'}}),
      faults: {code: {kind: 'problem', code: 'human_check_required'}},
    },
    prepare: installFakeTurnstile,
    reach: async (element) => {
      await chooseBank(element, 'Toros');
      await until('the check', () => find(element, '[slot=human-check] button'));
    },
  },
  'a hand-off link that the browser refuses to copy': {
    markup: code,
    prepare: refuseCopying,
    reach: async (element) => {
      await press(element, 'Telefonda aç');
      await press(element, 'Bağlantıyı kopyala');
      await until('the link', () => find(element, '.copy-fallback input'));
    },
  },
  'an order that was started on another device': {
    markup: checkout,
    isLinked: true,
    reach: async (element) => {
      await press(element, 'Siparişi aç');
      await untilText(element, 'Ödemenizi bekliyoruz');
    },
  },
  'a hand-off link that was used before': {
    markup: checkout,
    isLinked: true,
    script: {faults: {preview: {kind: 'problem', code: 'handoff_invalid'}}},
    reach: async (element) => {
      await until('the notice', () => find(element, '[role=alert]'));
      await untilText(element, 'Çınar');
    },
  },
  'a pay button that failed': {
    markup: payButton,
    script: {faults: {bankPage: unavailable}},
    reach: async (element) => {
      await press(element, 'Havale / EFT / FAST ile öde');
      await untilText(element, 'yanıt vermiyor');
    },
  },
  'a pay button after the shopper returned from the bank page without paying': {
    markup: payButton,
    prepare: () => returnFrom('bank-page'),
    reach: showsText('Ödeme sayfasını yeniden aç'),
  },
  'a pay button after the shopper paid on the payment page and returned': {
    markup: payButton.replace(' lang=', ' via="payment-page" lang='),
    script: {payment: PAYMENTS.paid},
    prepare: () => returnFrom('payment-page'),
    reach: showsText('Ödemeniz alındı'),
  },
  'a vendor form': {
    markup: vendor,
    script: {vendorForm: formWith('<p>Form</p>')},
    reach: async (element) => void (await until('the form', () => find(element, 'iframe:not(.visually-hidden)'))),
  },
  'a vendor form that was sent': {
    markup: vendor,
    script: {vendorForm: formWithOutcome('success')},
    reach: showsText('Başvurunuz alındı'),
  },
  'a vendor form that was not sent': {
    markup: vendor,
    script: {vendorForm: formWithOutcome('failure')},
    reach: showsText('Formu yeniden aç'),
  },
  'a vendor form that failed': {
    markup: vendor,
    script: {faults: {vendorForm: unavailable}},
    reach: showsText('yanıt vermiyor'),
  },
  'a number that the mobile network has recognized': {markup: oneClick, reach: showsText('Abone ol')},
  'a number that the mobile network has recognized, after the operator refused the subscription': {
    markup: oneClick,
    script: {faults: {subscribe: {kind: 'problem', code: 'subscription_failed'}}},
    reach: async (element) => {
      await confirmOneClick(element);
      await untilText(element, 'Aboneliğiniz başlatılamadı');
    },
    settle: async (element) => void (await canConfirm(element)),
  },
  'a number that the mobile network has recognized, after an unexpected refusal': {
    markup: oneClick,
    script: {faults: {subscribe: {kind: 'problem', code: 'platform_refused'}}},
    reach: async (element) => {
      await confirmOneClick(element);
      await untilText(element, 'İşlem tamamlanamadı');
    },
    settle: async (element) => void (await canConfirm(element)),
  },
  'a number that the mobile network has recognized, whose shopper must wait': {
    markup: oneClick,
    script: {faults: {subscribe: {kind: 'problem', code: 'rate_limited', retryAfter: 300}}},
    reach: async (element) => {
      await confirmOneClick(element);
      await untilText(element, 'sonra yeniden deneyebilirsiniz.');
    },
  },
};

/** Makes the next element behave as if a hand-off link had opened the page. */
export function openedByLink(): void {
  (globalThis as {[link: symbol]: HandoffLink})[Symbol.for('vezne handoff')] = {vezne: 'a-code', offer: 'gold'};
}
