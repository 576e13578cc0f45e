import type {Locale} from '../../widgets/core/locale.ts';

/** The texts of the frame: the navigation and signing in. */
export const frameTexts = {
  tr: {
    title: 'Vezne masası',
    views: {search: 'Ara', day: 'Gün', work: 'İşler', health: 'Durum', unknown: 'Adres bulunamadı'},
    unknownAddress: 'Bu adres hiçbir görünüme ait değil. Kopyalanırken bir parçası eksik kalmış olabilir.',
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
      `Bu oturum yalnız ${services} hizmetini görür. Diğer hizmetleri, bütün hizmetlerin kotalarını ve denetimini görmez. Para gönderemez, hiçbir şeyi değiştiremez.`,
    mayOnlyRead: 'Bu oturum bütün hizmetleri görür. Para gönderemez, hiçbir şeyi değiştiremez.',
  },
  en: {
    title: 'Vezne desk',
    views: {search: 'Search', day: 'Day', work: 'Work', health: 'Health', unknown: 'Unknown address'},
    unknownAddress: 'This address belongs to no view. A part of it may have been lost when it was copied.',
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
      `This session sees only the service ${services}. It does not see other services, nor the quotas and checks of all services. It cannot move money or change anything.`,
    mayOnlyRead: 'This session sees all services. It cannot move money or change anything.',
  },
} satisfies Record<Locale, object>;
