import type {Locale} from '../../widgets/core/locale.ts';

/** The texts of the frame: the navigation, signing in, and problems. */
export const frameTexts = {
  tr: {
    title: 'Vezne masası',
    views: {search: 'Ara', day: 'Gün', work: 'İşler', health: 'Durum'},
    navigation: 'Görünümler',
    other: 'English',
    signOut: 'Çıkış',
    signIn: 'Giriş yapın',
    signInTitle: 'Masaya giriş',
    signInText:
      'Yalnız okuyabilen bir API anahtarı girin (kapsamı: read). Anahtar sunucuya gider ve bu tarayıcıda saklanmaz. Giriş sekiz saat sürer.',
    keyLabel: 'API anahtarı',
    signInButton: 'Giriş yap',
    loading: 'Yükleniyor …',
    again: 'Yeniden dene',
    copy: 'Kopyala',
    copied: 'Kopyalandı',
    show: 'Göster',
    service: 'Hizmet',
    signedInAs: (key: string) => `Anahtar: ${key}`,
    mayNotSee: (services: string) =>
      `Bu anahtar yalnız ${services} hizmetini görür. Diğer hizmetleri, bütün hizmetlerin kotalarını ve denetimini görmez. Para gönderemez, hiçbir şeyi değiştiremez.`,
    mayOnlyRead: 'Bu anahtar bütün hizmetleri görür. Para gönderemez, hiçbir şeyi değiştiremez.',
  },
  en: {
    title: 'Vezne desk',
    views: {search: 'Search', day: 'Day', work: 'Work', health: 'Health'},
    navigation: 'Views',
    other: 'Türkçe',
    signOut: 'Sign out',
    signIn: 'Sign in',
    signInTitle: 'Sign in to the desk',
    signInText:
      'Enter an API key that may only read (scope: read). The key goes to the server, and this browser does not keep it. You stay signed in for eight hours.',
    keyLabel: 'API key',
    signInButton: 'Sign in',
    loading: 'Loading …',
    again: 'Try again',
    copy: 'Copy',
    copied: 'Copied',
    show: 'Show',
    service: 'Service',
    signedInAs: (key: string) => `Key: ${key}`,
    mayNotSee: (services: string) =>
      `This key sees only the service ${services}. It does not see other services, nor the quotas and checks of all services. It cannot move money or change anything.`,
    mayOnlyRead: 'This key sees all services. It cannot move money or change anything.',
  },
} satisfies Record<Locale, object>;

const problems: Readonly<Record<string, Record<Locale, string>>> = {
  network: {
    tr: 'Sunucuya ulaşılamadı. Bağlantınızı denetleyin.',
    en: 'The server was not reached. Check your connection.',
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
    tr: 'Sunucu şu anda yanıt veremiyor. Birazdan yeniden deneyin.',
    en: 'The server cannot answer at the moment. Try again soon.',
  },
};

/** One sentence about what the Worker refused. */
export function explainProblem(code: string, locale: Locale): string {
  const other = {tr: `Bu gösterilemedi (${code}).`, en: `This could not be shown (${code}).`};
  return (Object.hasOwn(problems, code) ? problems[code] : undefined)?.[locale] ?? other[locale];
}
