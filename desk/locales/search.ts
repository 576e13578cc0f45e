import type {Locale} from '../../widgets/core/locale.ts';

/** The texts of the search. */
export const searchTexts = {
  tr: {
    label: 'Kod, sipariş, ad, tutar, dekont veya kimlik',
    hint: 'Boşluklarla yapıştırabilirsiniz. Enter arar; oklar seçer.',
    button: 'Ara',
    searching: (done: number, all: number) => `Aranıyor: ${done} / ${all}`,
    nothing: 'Bir şey bulunamadı.',
    found: (count: number) => `${count} sonuç`,
    searched: (at: string) => `Bankalar en son ${at} okundu. Sonradan gelen para henüz bulunmaz.`,
    neverSearched: 'Bankalar henüz hiç okunmadı.',
    results: 'Sonuçlar',
    noOrder: 'Siparişi belli olmayan para',
    as: {code: 'kod', order: 'sipariş', id: 'kimlik veya dekont', amount: 'tutar', name: 'gönderen'},
  },
  en: {
    label: 'Code, order, name, amount, receipt or id',
    hint: 'You can paste it with spaces. Enter searches; arrow keys choose.',
    button: 'Search',
    searching: (done: number, all: number) => `Searching: ${done} of ${all}`,
    nothing: 'Nothing was found.',
    found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
    searched: (at: string) => `The banks were last read at ${at}. Money that came later is not found yet.`,
    neverSearched: 'The banks were never read.',
    results: 'Results',
    noOrder: 'Money without an order',
    as: {code: 'code', order: 'order', id: 'id or receipt', amount: 'amount', name: 'sender'},
  },
} satisfies Record<Locale, object>;
