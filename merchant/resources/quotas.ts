import type {Answers} from '../contract.ts';
import type {CallOptions} from '../options.ts';
import {Resource} from './resource.ts';

export class Quotas extends Resource {
  /**
   * Shows how many calls of each operation the platform’s limits still allow: `GET /merchant/v1/quotas`. The Worker
   * counts calls before it sends them. Each limit holds for every 24 hours and for every second.
   */
  show(options?: CallOptions): Promise<Answers['showQuotas']> {
    return this.call('showQuotas', {}, options);
  }
}
