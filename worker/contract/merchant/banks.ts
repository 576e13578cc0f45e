/** The bank list: `docs/spec/orders.md` 2.6 and 4.7. */

import * as z from 'zod';
import {BankList} from '../browser/answers.ts';
import {endpoint} from './endpoint.ts';

export const banks = {
  listBanks: endpoint({
    method: 'GET',
    path: '/merchant/v1/banks',
    group: 'Banks',
    operation: 'bankGetAll',
    write: false,
    status: 200,
    summary: 'The accounts shoppers pay into.',
    description:
      'At most a minute old. `stale` is true when the platform does not answer and this is the last list it gave.',
    input: z.strictObject({}),
    answer: BankList,
    codes: [],
    example: {
      input: {},
      answer: {
        banks: [
          {
            id: '6',
            code: 'garanti',
            name: 'Garanti BBVA',
            account_holder: 'Demo A.Ş.',
            iban: 'TR330006100519786457841326',
            branch_no: '1',
            account_no: '2',
            currency: 'TRY',
            logo: null,
            bank_no: '62',
            updated_at: '2026-11-21T15:42:00+03:00',
          },
        ],
        stale: false,
        arrival: {same_bank: null, other_bank: null},
      },
    },
  }),
};
