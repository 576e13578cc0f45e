import type {Answers} from '../contract.ts';
import type {CallOptions} from '../options.ts';
import {Resource} from './resource.ts';

export class Doctor extends Resource {
  /**
   * Checks the configuration and says how to fix what is wrong: `GET /merchant/v1/doctor`. The Worker requests a token
   * and the bank list from the platform. It calls `get-msisdn` with an invalid number token, and makes up to eight
   * searches for transactions and up to five for subscriptions. These calls count towards the platform’s limits.
   */
  examine(options?: CallOptions): Promise<Answers['examine']> {
    return this.call('examine', {}, options);
  }
}
