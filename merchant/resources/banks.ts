import type {Answers} from '../contract.ts';
import type {CallOptions} from '../options.ts';
import {Resource} from './resource.ts';

export class Banks extends Resource {
  /**
   * Lists the accounts that shoppers pay into: `GET /merchant/v1/banks` (orders 4.7). The list is at most one minute
   * old. `stale` is true if the platform does not answer; the answer is then the last list that the platform sent.
   */
  list(options?: CallOptions): Promise<Answers['listBanks']> {
    return this.call('listBanks', {}, options);
  }
}
