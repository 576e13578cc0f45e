import type {Answers} from '../contract.ts';
import type {CallOptions} from '../options.ts';
import {Resource} from './resource.ts';

export class Banks extends Resource {
  /**
   * Lists the accounts that shoppers pay into: `GET /merchant/v1/banks` (orders 4.7). The list is at most one minute
   * old. If the platform does not answer, `stale` is true and the list is the last list that the platform sent.
   */
  list(options?: CallOptions): Promise<Answers['listBanks']> {
    return this.call('listBanks', {}, options);
  }
}
