import type {Answers} from '../contract.ts';
import type {CallOptions} from '../options.ts';
import {Resource} from './resource.ts';

export class Doctor extends Resource {
  /**
   * Checks the configuration and says how to fix what is wrong: `GET /merchant/v1/doctor`. The Worker requests a token,
   * the bank list and a mobile number from the platform, and makes up to eight searches for transactions and up to five
   * for subscriptions. These calls count towards the platform’s limits.
   */
  examine(options?: CallOptions): Promise<Answers['examine']> {
    return this.call('examine', {}, options);
  }
}
