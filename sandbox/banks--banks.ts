import {makeIban} from './iban.ts';

/** A bank where the merchant's customers may pay, with the one account held there. */
export interface Bank {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  /** Five digits, as in an IBAN. */
  readonly bankNo: string;
  readonly branchNo: string;
  readonly accountNo: string;
  readonly iban: string;
}

export const ACCOUNT_HOLDER = 'Örnek Ödeme Hizmetleri A.Ş.';

/** Public names and bank numbers; every account is invented. */
const ROWS = [
  [1, 'ziraat', 'Ziraat Bankası', '00010', '1745', '60012734'],
  [2, 'halkbank', 'Halkbank', '00012', '0914', '10260418'],
  [3, 'vakifbank', 'VakıfBank', '00015', '0288', '73004516'],
  [4, 'teb', 'TEB', '00032', '0431', '55820197'],
  [5, 'akbank', 'Akbank', '00046', '0673', '88041290'],
  [6, 'garanti', 'Garanti BBVA', '00062', '0382', '62975301'],
  [7, 'isbank', 'İş Bankası', '00064', '1098', '20451836'],
  [8, 'yapikredi', 'Yapı Kredi', '00067', '0529', '91370642'],
  [9, 'ing', 'ING', '00099', '0217', '34108865'],
  [10, 'qnb', 'QNB', '00111', '0356', '47712093'],
  [11, 'denizbank', 'DenizBank', '00134', '0960', '15639078'],
  [12, 'kuveytturk', 'Kuveyt Türk', '00205', '0104', '96200451'],
] as const;

export const BANKS: readonly Bank[] = ROWS.map(([id, code, name, bankNo, branchNo, accountNo]) => ({
  id,
  code,
  name,
  bankNo,
  branchNo,
  accountNo,
  iban: makeIban(bankNo, branchNo, accountNo),
}));

export function findBank(code: string): Bank | undefined {
  return BANKS.find((bank) => bank.code === code);
}
