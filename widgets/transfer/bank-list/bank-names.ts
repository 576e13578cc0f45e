/** Finds banks by the names that shoppers use: long and old names, abbreviations, and names of banking apps. */

import type {Bank} from '../../../worker/contract/browser/answers.ts';
import {normalize, searchBanks} from '../purchase/bank-directory.ts';

/** Names that the platform's list of banks may not use. The key is the bank's number, which is part of its IBANs. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  '00010': 'T.C. Ziraat Bankası',
  '00012': 'Türkiye Halk Bankası',
  '00015': 'Türkiye Vakıflar Bankası',
  '00032': 'Türk Ekonomi Bankası CEPTETEB',
  '00059': 'Şekerbank',
  '00062': 'Türkiye Garanti Bankası BBVA',
  '00064': 'Türkiye İş Bankası İşbank İşCep',
  '00067': 'Yapı ve Kredi Bankası YKB Koçbank',
  '00092': 'Citibank',
  '00099': 'ING Bank Oyakbank',
  '00103': 'Fibabanka',
  '00109': 'ICBC Turkey Tekstilbank',
  '00111': 'QNB Finansbank Finans Bank',
  '00123': 'HSBC',
  '00124': 'Alternatifbank ABank',
  '00125': 'Burgan Bank Eurobank Tekfen',
  '00134': 'Deniz Bank MobilDeniz',
  '00143': 'Aktif Yatırım Bankası Aktifbank N Kolay',
  '00146': 'Odeabank Odea',
  '00203': 'Albaraka Türk Katılım',
  '00205': 'Kuveyttürk Katılım',
  '00206': 'Türkiye Finans Katılım Family Anadolu Finans',
  '00209': 'Ziraat Katılım',
  '00210': 'Vakıf Katılım',
  '00211': 'Türkiye Emlak Katılım',
};

/** Words that the long names of many banks contain. */
const COMMON_WORDS = [
  'bankasi',
  'turkiye',
  'cumhuriyeti',
  'katilim',
  'anonim',
  'sirketi',
  'tc',
  'as',
  'tas',
  'tao',
  've',
];

const splitWords = (text: string) => text.split(/[\s\-/]+/).flatMap((word) => normalize(word) || []);

/**
 * Finds the banks that `searchBanks` finds, and the banks with a name in which each word of the query is the beginning
 * of a word. If there is no such bank, words such as `Türkiye` or `A.Ş.` are ignored: `T.C. Garanti Bankası` finds
 * Garanti.
 */
export function searchAllNames(banks: readonly Bank[], query: string): readonly Bank[] {
  const found: ReadonlySet<Bank> = new Set(searchBanks(banks, query));
  const wanted = splitWords(query);
  const telling = wanted.filter((word) => !COMMON_WORDS.some((common) => common.startsWith(word)));
  const all = banks.filter((bank) => found.has(bank) || hasWords(bank, wanted));
  return all.length > 0 || telling.length === 0 ? all : banks.filter((bank) => hasWords(bank, telling));
}

function hasWords({name, iban}: Bank, wanted: readonly string[]): boolean {
  const words = splitWords(`${name} ${OTHER_NAMES[iban.slice(4, 9)] ?? ''}`);
  return wanted.every((start) => words.some((word) => word.startsWith(start)));
}
