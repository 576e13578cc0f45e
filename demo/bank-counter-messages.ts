/** Messages that the bank counter shows after an action. Its static texts are in `locales/bank.ts`. */
interface CounterMessages {
  readonly describe: string;
  readonly amount: string;
  readonly away: string;
  readonly done: string;
  readonly matched: (amount: string) => string;
  readonly unmatched: (amount: string) => string;
  readonly matchedBadge: string;
  readonly unmatchedBadge: string;
  readonly arrived: (amount: string) => string;
}

const tr: CounterMessages = {
  describe: 'Açıklamaya bir şey yazın; dükkânın verdiği kod gibi.',
  amount: 'Tutar 149,90 gibi sıfırdan büyük bir sayı olmalı.',
  away: 'Deneme ortamına ulaşılamıyor. Çalışıyor mu? Sonra yeniden deneyin.',
  done: 'Tamam.',
  matched: (amount) => `${amount} gönderildi ve siparişle eşleşti.`,
  unmatched: (amount) => `${amount} gönderildi ama eşleşmedi: açıklamada bilinen bir kod yok.`,
  matchedBadge: 'eşleşti',
  unmatchedBadge: 'eşleşmedi',
  arrived: (amount) => `${amount} geldi`,
};

const en: CounterMessages = {
  describe: 'Write something in the description, such as the code from the shop.',
  amount: 'The amount must be a number above zero, such as 149.90.',
  away: 'The sandbox cannot be reached. Check that it is running, then try again.',
  done: 'Done.',
  matched: (amount) => `${amount} sent and matched with the order.`,
  unmatched: (amount) => `${amount} sent but not matched: the description contains no known code.`,
  matchedBadge: 'matched',
  unmatchedBadge: 'not matched',
  arrived: (amount) => `${amount} arrived`,
};

export const counterMessages: Readonly<Record<string, CounterMessages>> = {tr, en};
export const fallbackMessages = en;
