import type {Answers} from '../contract.ts';
import type {CallOptions} from '../options.ts';
import {Resource} from './resource.ts';

export class Doctor extends Resource {
  /**
   * Whether the set-up is right, and what to do where it is not: `GET /merchant/v1/doctor`. Asks the platform for a
   * token, the bank list, one transaction and one subscription: a call each, which count towards its limits.
   */
  examine(options?: CallOptions): Promise<Answers['examine']> {
    return this.call('examine', {}, options);
  }
}
