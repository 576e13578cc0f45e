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
    cut: 'Daha fazla sonuç var; yalnız en yenileri gösteriliyor.',
    results: 'Sonuçlar',
    other: 'Aşağıdaki ödeme bu metinle bulunmadı. Enter bu metni arar.',
    record: 'o sırada:',
    records: '“O sırada” yazan sonuçlar o saatte kaydedileni gösterir. Son durum için siparişi açın.',
    noOrder: 'Siparişi belli olmayan para',
    limits:
      'Para bekleyen bir sipariş burada yoksa tam koduyla veya numarasıyla arayın. Gelen paranın açıklaması aranmaz.',
    as: {
      code: 'kodla',
      order: 'sipariş numarasıyla',
      id: 'kimlik veya dekontla',
      amount: 'tutarla',
      name: 'gönderen adıyla',
    },
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
    cut: 'There are more results; only the newest are shown.',
    results: 'Results',
    other: 'The payment below was not found with this text. Enter searches this text.',
    record: 'at that time:',
    records: 'Results with “at that time” say what was recorded at that hour. Open the order to see its state now.',
    noOrder: 'Money without an order',
    limits:
      'If an order that waits for money is missing here, search its whole code or number. The description of money is not searched.',
    as: {code: 'by code', order: 'by order', id: 'by id or receipt', amount: 'by amount', name: 'by sender'},
  },
} satisfies Record<Locale, object>;
