import {ACCOUNT_HOLDER, BANKS, type Bank, logoPath} from '../banks.ts';
import type {AnswerFields, PlatformRequest} from '../request.ts';

const UPDATE_TIME = '2026-10-01 09:00:00+03';

/** /bank/getAll (orders 4.7, 2.6). */
export function listBanks({origin}: PlatformRequest): AnswerFields {
  return {banks: BANKS.map((bank) => toBankFields(bank, origin))};
}

function toBankFields(bank: Bank, origin: string): AnswerFields {
  return {
    id: bank.id,
    code: bank.code,
    name: bank.name,
    company_name: ACCOUNT_HOLDER,
    branch_no: bank.branchNo,
    account_no: bank.accountNo,
    account_iban: bank.iban,
    update_time: UPDATE_TIME,
    currency: 'TL',
    logo: `${origin}${logoPath(bank)}`,
    bank_no: bank.bankNo,
  };
}
