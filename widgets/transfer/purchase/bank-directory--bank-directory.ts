import type {BankList} from '../../../worker/contract/browser/answers.ts';
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
