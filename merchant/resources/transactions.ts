import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions} from '../options.ts';
import {Search} from '../pagination.ts';
import {Resource} from './resource.ts';

/** Money that arrived. */
export class Transactions extends Resource {
  /**
   * A transaction with its status: `GET /merchant/v1/transactions/{id}` (orders 4.3).
   * @throws {VezneError} `not_found`
   */
  get(input: Inputs['getTransaction'], options?: CallOptions): Promise<Answers['getTransaction']> {
    return this.call('getTransaction', input, options);
  }

  /**
   * Searches transactions: `POST /merchant/v1/transactions/search` (orders 4.3). Days are Turkey’s, both included; a
   * page has 100 items unless `limit` (up to 1,000) says otherwise. The platform tells no status in a search.
   * @throws {VezneError} `unknown_service`
   */
  search(input: Inputs['searchTransactions'], options?: CallOptions): Search<Answers['searchTransactions']> {
    return new Search((cursor) =>
      this.call('searchTransactions', cursor === undefined ? input : {...input, cursor}, options),
    );
  }
}
