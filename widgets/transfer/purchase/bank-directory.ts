import type {BankList, Bank} from '../../../worker/contract/browser/answers.ts';
import {Query} from '../../core/query.ts';
import {BrowserStorage} from '../../core/storage.ts';
import {OrderClient} from './order-client.ts';

/** The list becomes stale soon, because its texts about when money arrives depend on the time of day. */
const FRESH_MS = 600_000;

const directories = new Map<string, Query<BankList>>();

/** The query for the bank accounts into which a shopper can pay. All elements of a page share one query per Worker. */
export function bankDirectory(api: string): Query<BankList> {
  let directory = directories.get(api);
  if (!directory) {
    const client = new OrderClient(api);
    directories.set(api, (directory = new Query((signal) => client.listBanks(signal), {freshMs: FRESH_MS})));
  }
  return directory;
}

/** Where the browser saves the bank that the shopper last chose at this Worker, for any offer. */
export function lastBankAt(api: string): BrowserStorage<{readonly bank: string}> {
  return new BrowserStorage([api]);
}

/** Finds the account with this id, or of the bank with this code. If the list has only one account, returns it. */
export function findBank(banks: readonly Bank[], wanted?: string): Bank | undefined {
  return banks.length === 1
    ? banks[0]
    : (banks.find(({id}) => id === wanted) ?? banks.find(({code}) => code === wanted));
}

/** Finds the banks whose name or code contains the query. `is`, `İŞ` and `iş bank` all find İş Bankası. */
export function searchBanks(banks: readonly Bank[], query: string): readonly Bank[] {
  const wanted = query && normalize(query);
  return wanted
    ? banks.filter(({name, code}) => normalize(name).includes(wanted) || normalize(code).includes(wanted))
    : banks;
}

/** Removes case, accents, spaces and punctuation. The dotless ı has no accent to remove, so it is replaced with i. */
export function normalize(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replace(/[^\p{L}\p{N}]/gu, '');
}
