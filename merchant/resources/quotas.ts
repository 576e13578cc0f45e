import type {Answers} from '../contract.ts';
import type {CallOptions} from '../options.ts';
import {Resource} from './resource.ts';

export class Quotas extends Resource {
  /**
   * What is left of the platform’s limits, by operation: `GET /merchant/v1/quotas`. Counted over any 24 hours and any
   * second, before anything is sent.
   */
  show(options?: CallOptions): Promise<Answers['showQuotas']> {
    return this.call('showQuotas', {}, options);
  }
}
