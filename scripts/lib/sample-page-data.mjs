// @ts-check
// The data that the Worker writes into the page scripts when it uses the sandbox and the configuration of `npm start`.

import {ACCOUNT_HOLDER, BANKS} from '../../sandbox/banks.ts';

/** @typedef {import('../../worker/contract/browser/page-data.ts').CheckoutPageData} CheckoutPageData */
/** @typedef {import('../../worker/contract/browser/page-data.ts').SubscribePageData} SubscribePageData */

/** @type {CheckoutPageData} */
const checkout = {
  banks: {
    banks: BANKS.map(({id, code, name, iban, branchNo, accountNo, bankNo}) => ({
      updated_at: '2026-11-21T15:42:00+03:00',
      currency: 'TRY',
      account_holder: ACCOUNT_HOLDER,
      logo: `https://pay.example.com/v1/banks/${id}/logo`,
      name,
      code,
      id: String(id),
      bank_no: bankNo,
      branch_no: branchNo,
      iban,
      account_no: accountNo,
    })),
    stale: false,
    arrival: {
      same_bank: {
        tr: 'Aynı bankadan ya da FAST ile gönderdiğiniz para hemen ulaşır.',
        en: 'Transfers from the same bank or by FAST arrive instantly.',
      },
      other_bank: {
        tr: 'EFT ile gönderdiğiniz para en geç bir sonraki iş günü ulaşır.',
        en: 'EFT transfers arrive by the next working day.',
      },
    },
  },
  offer: {id: 'gold', title: {tr: 'Ahşap masa lambası', en: 'Wooden table lamp'}, amount: '149.90', currency: 'TRY'},
};

/** @type {SubscribePageData} */
const subscribe = {
  offer: {
    id: 'club',
    kind: 'subscription',
    title: {tr: 'Kulüp üyeliği', en: 'Club membership'},
    terms: {
      tr: 'Her hafta faturanıza yansıtılır. İstediğiniz an iptal edebilirsiniz.',
      en: 'Billed every week. Cancel whenever you like.',
    },
    price: '12.00',
    currency: 'TRY',
    period: 'weekly',
    operators: [
      {id: 1, name: 'Bir'},
      {id: 4, name: 'İki'},
      {id: 5, name: 'Üç'},
    ],
    human_check: null,
    one_click: true,
  },
};

export const samplePageData = {checkout, subscribe};
