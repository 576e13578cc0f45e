/** Messages that the bank counter shows after an action. Its static texts are in `locales/bank.ts`. */
interface CounterMessages {
  readonly describe: string;
  readonly amount: string;
  readonly away: string;
  readonly running: string;
  readonly done: string;
  /** The busy day is made, whose money the Worker reads later. */
  readonly busyDone: string;
  readonly matched: (amount: string) => string;
  readonly unmatched: (amount: string) => string;
  readonly matchedBadge: string;
  readonly unmatchedBadge: string;
  readonly arrived: (amount: string) => string;
  /** Badge of an order that is paid. */
  readonly paid: string;
  /** Badge of the order that was placed on the shop page in this browser. */
  readonly own: string;
  /** Description of a transfer without a code. */
  readonly noCode: string;
}

const tr: CounterMessages = {
  describe: 'Açıklama yazın, örneğin mağazanın verdiği kodu.',
  amount: 'Tutar 149,90 gibi sıfırdan büyük bir sayı olmalı.',
  away: 'Deneme ortamına ulaşılamıyor. Çalıştığından emin olup yeniden deneyin.',
  running: 'Yapılıyor …',
  done: 'Tamam.',
  busyDone:
    'Tamam. Siparişler açıldı ve para gönderildi. Worker parayı en geç beş dakika içinde okur; /desk sayfasında o zaman görünür.',
  matched: (amount) => `${amount} gönderildi ve siparişle eşleşti.`,
  unmatched: (amount) => `${amount} gönderildi ama eşleşmedi: açıklamada bilinen bir kod yok.`,
  matchedBadge: 'eşleşti',
  unmatchedBadge: 'eşleşmedi',
  arrived: (amount) => `${amount} geldi`,
  paid: 'ödendi',
  own: 'sizin siparişiniz',
  noCode: 'Lamba parası',
};

const en: CounterMessages = {
  describe: 'Enter a description, such as the code from the shop.',
  amount: 'Enter an amount above zero, such as 149.90.',
  away: 'We can’t reach the sandbox. Check that it’s running, then try again.',
  running: 'Working …',
  done: 'Done.',
  busyDone:
    'Done. The orders are made and the money is sent. The Worker reads the money within five minutes; then /desk shows it.',
  matched: (amount) => `${amount} sent and matched to the order.`,
  unmatched: (amount) => `${amount} sent but not matched: the description contains no known code.`,
  matchedBadge: 'matched',
  unmatchedBadge: 'not matched',
  arrived: (amount) => `${amount} received`,
  paid: 'paid',
  own: 'your order',
  noCode: 'Money for the lamp',
};

export const counterMessages: Readonly<Record<string, CounterMessages>> = {tr, en};
export const fallbackMessages = en;
