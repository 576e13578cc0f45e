import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions} from '../options.ts';
import {Search} from '../pagination.ts';
import {Resource} from './resource.ts';

/** Transactions: money that arrived. */
export class Transactions extends Resource {
  /**
   * Gets a transaction with its status: `GET /merchant/v1/transactions/{id}` (orders 4.3).
   * @throws {VezneError} `not_found`
   */
  get(input: Inputs['getTransaction'], options?: CallOptions): Promise<Answers['getTransaction']> {
    return this.call('getTransaction', input, options);
  }

  /**
   * Searches transactions: `POST /merchant/v1/transactions/search` (orders 4.3). The search includes both `start_date`
   * and `end_date`, which are dates in Turkey’s time zone. A page has 100 items by default; `limit` can be up to 1,000.
   * The platform does not include a transaction’s status in search results.
   * @throws {VezneError} `unknown_service`
   */
  search(input: Inputs['searchTransactions'], options?: CallOptions): Search<Answers['searchTransactions']> {
    return new Search((cursor) =>
      this.call('searchTransactions', cursor === undefined ? input : {...input, cursor}, options),
    );
  }

  /**
   * Lists the money of a day that matches no order: `GET /merchant/v1/transactions/unmatched` (orders 4.3). While the
   * Worker has open orders, the event `transaction.unmatched` reports such money too.
   * @throws {VezneError} `unknown_service`
   */
  listUnmatched(
    input: Inputs['listUnmatchedTransactions'],
    options?: CallOptions,
  ): Search<Answers['listUnmatchedTransactions']> {
    return new Search((cursor) =>
      this.call('listUnmatchedTransactions', cursor === undefined ? input : {...input, cursor}, options),
    );
  }
}
