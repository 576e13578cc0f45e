import type {Answers} from '../contract.ts';
import type {CallOptions} from '../options.ts';
import {Resource} from './resource.ts';

export class Banks extends Resource {
  /**
   * The accounts shoppers pay into, at most a minute old: `GET /merchant/v1/banks` (orders 4.7). `stale` is true when the
   * platform does not answer and this is the last list it gave.
   */
  list(options?: CallOptions): Promise<Answers['listBanks']> {
    return this.call('listBanks', {}, options);
  }
}
