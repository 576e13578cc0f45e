import type {BankList, ShownRefund} from '../../worker/contract/browser/answers.ts';
import type {LoadRefusals} from '../core/problem.ts';
import {isAmount, isListOf, isText, isTime, shape, WorkerClient} from '../core/worker-client.ts';

const isRefund = shape<ShownRefund>({state: isText, amount: isAmount, currency: isText, expires_at: isTime});
const isBankList = shape<BankList>({banks: isListOf(shape({name: isText}))});

/** Where the money goes. */
export interface Account {
  readonly name: string;
  readonly iban: string;
}

export class RefundClient extends WorkerClient {
  protected override readonly refusals: LoadRefusals = () => import('../locales/refund-refusals.ts');

  show(link: string, signal: AbortSignal): Promise<ShownRefund> {
    return this.ask('/v1/refund-links/preview', {validate: isRefund, signal, body: {link}});
  }

  send(link: string, account: Account, signal: AbortSignal): Promise<ShownRefund> {
    return this.ask('/v1/refund-contacts', {validate: isRefund, signal, body: {link, ...account}});
  }

  /** The names of the merchant's banks, by the five digits that their IBANs have. */
  async bankNames(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const {banks} = await this.ask('/v1/banks', {validate: isBankList, signal});
    return new Map(banks.flatMap(({iban, name}) => (iban ? [[iban.slice(4, 9), name] as const] : [])));
  }
}
