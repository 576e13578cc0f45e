/** Texts that a bank list rarely needs. They load with `bundles/bank-list-extras.ts`. */

import type {Locale} from '../core/locale.ts';

const tr = {
  none: (query: string) => `“${query}” ile eşleşen banka bulunamadı. Listedeki herhangi bir bankayı seçebilirsiniz.`,
  showAll: 'Tüm bankaları göster',
  found: (count: number) => `${count} banka bulundu.`,
  empty: 'Havale\u00a0/ EFT\u00a0/ FAST şu\u00a0an kullanılamıyor',
  emptyText: 'Biraz sonra yeniden deneyin ya da satıcıya sorun.',
};

export type BankListExtrasMessages = typeof tr;

const en: BankListExtrasMessages = {
  none: (query) => `No bank matches “${query}”. You can choose any bank in the list.`,
  showAll: 'Show all banks',
  found: (count) => (count === 1 ? 'One bank found.' : `${count} banks found.`),
  empty: 'Bank transfer isn’t available right now',
  emptyText: 'Try again in a moment, or ask the seller.',
};

export const bankListExtrasMessages: Record<Locale, BankListExtrasMessages> = {tr, en};
