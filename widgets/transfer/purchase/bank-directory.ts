import type {BankList, Bank} from '../../../worker/contract/browser/answers.ts';
import {Resource} from '../../core/query.ts';
import {PaymentClient} from './order-client.ts';

/** What it says of when money lands is true at this time of day. */
const FRESH_MS = 600_000;

const directories = new Map<string, Resource<BankList>>();

/** The accounts a shopper may pay into at a Worker, asked once a page. */
export function bankDirectory(api: string): Resource<BankList> {
  let directory = directories.get(api);
  if (!directory) {
    const client = new PaymentClient(api);
    directories.set(api, (directory = new Resource((signal) => client.listBanks(signal), {freshMs: FRESH_MS})));
  }
  return directory;
}

/** The banks whose name or code holds what was typed, however it was typed: `is`, `İŞ` and `iş bank` find İş Bankası. */
export function searchBanks(banks: readonly Bank[], query: string): readonly Bank[] {
  const wanted = query && fold(query);
  return wanted ? banks.filter(({name, code}) => fold(name).includes(wanted) || fold(code).includes(wanted)) : banks;
}

/** Without case, accents, spaces and marks. The dotless ı has no accent to lose, so it is named. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replace(/[^\p{L}\p{N}]/gu, '');
}
