/** All texts of the hosted pages, in Turkish and English. */

import {formatAmount} from '../formats.ts';
import type {PlatformRequest} from '../request.ts';

export type Language = 'tr' | 'en';

/** Writes an amount as `149,90` in Turkish and as `149.90` in English. */
export function writeAmount(kurus: number, language: Language): string {
  return language === 'tr' ? formatAmount(kurus).replace('.', ',') : formatAmount(kurus);
}

/**
 * Returns the language that the parameter `lang` names. Otherwise returns the language of the cookie `lang`, the first
 * of the browser's languages that the pages support, or Turkish. The demo sets the cookie, because the platform's
 * contract has no parameter for a language. Browsers send a cookie of `localhost` to every port.
 */
export function chooseLanguage({parameters, headers}: Pick<PlatformRequest, 'parameters' | 'headers'>): Language {
  const [, cookie = ''] = /(?:^|;\s*)lang=(\w+)/.exec(headers.get('cookie') ?? '') ?? [];
  const languageTags = [parameters.text('lang'), cookie, ...(headers.get('accept-language') ?? '').split(',')];
  for (const tag of languageTags) {
    const [language] = tag.trim().toLowerCase().split(/[-;]/);
    if (language === 'tr' || language === 'en') return language;
  }
  return 'tr';
}

const tr = {
  brand: 'Örnek Ödeme',
  sandbox: 'Deneme ortamı: gerçek banka, operatör ve para yoktur.',
  otherLanguage: 'English',
  continue: 'Devam et',
  back: 'Geri dön',
  copy: 'Kopyala',
  copied: 'Kopyalandı',
  amount: 'Tutar',
  merchant: 'İş yeri',
  order: 'Sipariş',
  bank: 'Banka',
  notFound: 'Sayfa bulunamadı',
  notFoundText: 'Bu bağlantı geçersiz. İş yerine dönüp yeniden deneyin.',
  required: 'Bu alanı doldurun.',
  bankPage: {
    title: 'Havale / EFT / FAST ile ödeme',
    choose: 'Hangi bankaya göndereceksiniz?',
    otherBank: 'Başka bir banka seç',
    how: 'Bankanızın uygulamasından bu hesaba gönderin. Açıklamaya yalnızca ödeme kodunu yazın.',
    code: 'Ödeme kodu (açıklamaya yazın)',
    holder: 'Alıcı',
    iban: 'IBAN',
    branch: 'Şube',
    account: 'Hesap no',
    arrived: 'Gelen',
    remaining: 'Kalan',
    paid: 'Ödemeniz alındı',
    paidText: 'Tutarın tamamı hesaba geçti.',
    play: 'Deneme: parayı gönder',
    playText: 'Bu bölüm yalnızca deneme ortamında görünür; bankanızın uygulaması yerine geçer.',
    playAmount: 'Gönderilen tutar',
    playSender: 'Gönderen',
    sent: 'Gönderdim',
    wrongAmount: '149,90 gibi bir tutar yazın.',
  },
  noticePage: {
    title: 'Ödeme bildirimi',
    text: 'Açıklamaya kodu yazmadıysanız ödemenizi bu bildirimle buluruz.',
    name: 'Gönderen',
    time: 'Ödeme zamanı',
    submit: 'Bildirimi gönder',
    waiting: 'Bildiriminiz alındı',
    waitingText: 'Ödemenizi bulunca siparişinize işleyeceğiz.',
    approved: 'Ödemeniz bulundu',
    approvedText: 'Bildiriminiz onaylandı.',
    inactive: 'Bu bildirim artık geçerli değil',
    inactiveText: 'Yeni bir bildirim için iş yerine dönün.',
  },
  paymentPage: {
    title: 'Mobil ödeme',
    item: 'Ürün',
    trial: 'Deneme',
    trialDays: 'gün ücretsiz, sonra aylık',
    number: 'Cep telefonu numaranız',
    numberHint: 'Örnek: 0532 123 45 67',
    operator: 'Operatörünüz',
    sendPin: 'Onay kodu gönder',
    pin: 'Onay kodu',
    pinText: 'Kodun gönderildiği numara:',
    where: 'Deneme ortamında SMS’ler burada:',
    confirm: 'Onayla',
    resend: 'Yeniden gönder',
    change: 'Numarayı değiştir',
    cancel: 'Vazgeç',
    wrongNumber: 'Geçerli bir cep telefonu numarası girin: 05 ile başlayan 11 hane.',
    wrongOperator: 'Operatörünüzü seçin.',
    wrongPin: 'Kod hatalı. Son gelen SMS’teki kodu girin.',
    expiredPin: 'Kodun süresi doldu. Yeni kod isteyin.',
    refused: 'Bu numarayla ödeme yapılamıyor.',
    done: 'Ödeme tamamlandı',
    doneText: 'Tutar faturanıza yansıtılacak.',
    failed: 'Ödeme tamamlanamadı',
    failedText: 'Sizden bir ücret alınmadı.',
    expired: 'Bu sayfanın süresi doldu',
  },
  vendorPage: {
    title: 'Satıcı kaydı',
    text: 'Pazaryerinde ödeme alabilmek için bilgilerinizi kontrol edip onaylayın.',
    name: 'Ad veya unvan',
    tc: 'T.C. kimlik no',
    phone: 'Cep telefonu',
    email: 'E-posta',
    iban: 'IBAN',
    optional: 'isteğe bağlı',
    accept: 'Satıcı sözleşmesini kabul ediyorum',
    mustAccept: 'Kayıt için sözleşmeyi kabul edin.',
    oddIban: 'IBAN hatalı görünüyor. Doğruysa yeniden “Kaydol”a basın.',
    register: 'Kaydol',
    decline: 'Vazgeç',
    registered: 'Kaydınız tamamlandı',
    registeredText: 'Pazaryerinde ödeme alabilirsiniz.',
    declined: 'Kayıttan vazgeçildi',
    noSession: 'Oturum bulunamadı. Tarayıcınız çerezlere ve site verilerine izin vermeli.',
  },
};

export type PageTexts = typeof tr;

const en: PageTexts = {
  brand: 'Örnek Ödeme',
  sandbox: 'Sandbox: there is no real bank, operator or money here.',
  otherLanguage: 'Türkçe',
  continue: 'Continue',
  back: 'Go back',
  copy: 'Copy',
  copied: 'Copied',
  amount: 'Amount',
  merchant: 'Merchant',
  order: 'Order',
  bank: 'Bank',
  notFound: 'Page not found',
  notFoundText: 'This link is not valid. Go back to the merchant and try again.',
  required: 'Fill in this field.',
  bankPage: {
    title: 'Pay by bank transfer',
    choose: 'Which bank will you send to?',
    otherBank: 'Choose another bank',
    how: 'Send the money to this account from your banking app. Enter only the payment code in the description.',
    code: 'Payment code (for the description)',
    holder: 'Recipient',
    iban: 'IBAN',
    branch: 'Branch',
    account: 'Account number',
    arrived: 'Received',
    remaining: 'Remaining',
    paid: 'Payment received',
    paidText: 'We’ve received the full amount.',
    play: 'Test: send the money',
    playText: 'Only the sandbox shows this. It stands in for your banking app.',
    playAmount: 'Amount sent',
    playSender: 'Sender',
    sent: 'Send',
    wrongAmount: 'Enter an amount, such as 149.90.',
  },
  noticePage: {
    title: 'Report your payment',
    text: 'If you left out the code, this report helps us find your payment.',
    name: 'Sender',
    time: 'Time of payment',
    submit: 'Send the report',
    waiting: 'We’ve received your report',
    waitingText: 'We’ll update your order as soon as we find your payment.',
    approved: 'We found your payment',
    approvedText: 'Your report has been approved.',
    inactive: 'This report is no longer valid',
    inactiveText: 'Go back to the merchant to start a new one.',
  },
  paymentPage: {
    title: 'Mobile payment',
    item: 'Item',
    trial: 'Trial',
    trialDays: 'days free, then monthly',
    number: 'Your mobile number',
    numberHint: 'For example, 0532 123 45 67',
    operator: 'Your operator',
    sendPin: 'Text me a code',
    pin: 'Code',
    pinText: 'We sent the code to',
    where: 'In the sandbox, you’ll find text messages here:',
    confirm: 'Confirm',
    resend: 'Send again',
    change: 'Change number',
    cancel: 'Cancel',
    wrongNumber: 'Enter a Turkish mobile number: 11 digits starting with 05.',
    wrongOperator: 'Choose your operator.',
    wrongPin: 'That code isn’t right. Enter the code from the latest text.',
    expiredPin: 'The code has expired. Request a new one.',
    refused: 'You can’t pay with this number.',
    done: 'Payment complete',
    doneText: 'The amount will appear on your phone bill.',
    failed: 'Payment not completed',
    failedText: 'You haven’t been charged.',
    expired: 'This page has expired',
  },
  vendorPage: {
    title: 'Vendor registration',
    text: 'Check and confirm your details so that the marketplace can pay you.',
    name: 'Name or company',
    tc: 'National identity number',
    phone: 'Mobile number',
    email: 'E-mail',
    iban: 'IBAN',
    optional: 'optional',
    accept: 'I accept the vendor agreement',
    mustAccept: 'Accept the agreement to register.',
    oddIban: 'The IBAN looks wrong. If it’s correct, press “Register” again.',
    register: 'Register',
    decline: 'Cancel',
    registered: 'You’re registered',
    registeredText: 'You can now get paid on the marketplace.',
    declined: 'Registration cancelled',
    noSession: 'Your session wasn’t found. Allow cookies and site data in your browser.',
  },
};

export const PAGE_TEXTS: Readonly<Record<Language, PageTexts>> = {tr, en};
