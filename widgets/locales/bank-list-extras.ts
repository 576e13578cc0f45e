/** Texts that a bank list rarely needs. They load with `bundles/bank-list-extras.ts`. */

import type {Locale} from '../core/locale.ts';

export interface BankListExtrasMessages {
  // The search
  readonly none: (query: string) => string;
  readonly showAll: string;
  readonly found: (count: number) => string;
  // A list without banks
  readonly empty: string;
  readonly emptyText: string;
}

export const bankListExtrasMessages: Record<Locale, BankListExtrasMessages> = {
  tr: {
    none: (query) => `“${query}” ile eşleşen banka bulunamadı. Listedeki herhangi bir bankayı seçebilirsiniz.`,
    showAll: 'Tüm bankaları göster',
    found: (count) => `${count} banka bulundu.`,
    empty: 'Havale\u00a0/ EFT şu\u00a0an kullanılamıyor',
    emptyText: 'Biraz sonra yeniden deneyin ya da satıcıyla iletişime geçin.',
  },
  en: {
    none: (query) => `No bank matches “${query}”. You can choose any bank in the list.`,
    showAll: 'Show all banks',
    found: (count) => (count === 1 ? 'One bank found.' : `${count} banks found.`),
    empty: 'Bank transfer isn’t available right now',
    emptyText: 'Try again in a moment, or contact the seller.',
  },
};
