import type {Answers} from '../contract.ts';
import type {CallOptions} from '../options.ts';
import {Resource} from './resource.ts';

export class Quotas extends Resource {
  /**
   * For each operation, shows how many more calls the platform’s limits allow: `GET /merchant/v1/quotas`. The Worker
   * counts calls before it sends them. Each operation has one limit for any 24 hours and one for any second.
   */
  show(options?: CallOptions): Promise<Answers['showQuotas']> {
    return this.call('showQuotas', {}, options);
  }
}
