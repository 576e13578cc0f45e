import type {BankList, Bank} from '../../../worker/contract/browser/answers.ts';
import {Query} from '../../core/query.ts';
import {OrderClient} from './order-client.ts';

/** What it says of when money lands is true at this time of day. */
const FRESH_MS = 600_000;

const directories = new Map<string, Query<BankList>>();

/** The accounts a shopper may pay into at a Worker, asked once a page. */
export function bankDirectory(api: string): Query<BankList> {
  let directory = directories.get(api);
  if (!directory) {
    const client = new OrderClient(api);
    directories.set(api, (directory = new Query((signal) => client.listBanks(signal), {freshMs: FRESH_MS})));
  }
  return directory;
}

/** The bank with this code; the only one where there is no other. */
export function findBank(banks: readonly Bank[], wanted?: string): Bank | undefined {
  return banks.length === 1 ? banks[0] : banks.find(({code}) => code === wanted);
}

/** The banks whose name or code holds what was typed, however it was typed: `is`, `İŞ` and `iş bank` find İş Bankası. */
export function searchBanks(banks: readonly Bank[], query: string): readonly Bank[] {
  const wanted = query && normalize(query);
  return wanted
    ? banks.filter(({name, code}) => normalize(name).includes(wanted) || normalize(code).includes(wanted))
    : banks;
}

/** Without case, accents, spaces and marks. The dotless ı has no accent to lose, so it is named. */
function normalize(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replace(/[^\p{L}\p{N}]/gu, '');
}
