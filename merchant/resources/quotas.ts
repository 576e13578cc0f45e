import type {Answers} from '../contract.ts';
import type {CallOptions} from '../options.ts';
import {Resource} from './resource.ts';

export class Quotas extends Resource {
  /**
   * Shows what remains of the platform’s limits for each operation: `GET /merchant/v1/quotas`. The Worker counts calls
   * over any 24 hours and over any second, before it sends them.
   */
  show(options?: CallOptions): Promise<Answers['showQuotas']> {
    return this.call('showQuotas', {}, options);
  }
}
