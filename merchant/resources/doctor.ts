import type {Answers} from '../contract.ts';
import type {CallOptions} from '../options.ts';
import {Resource} from './resource.ts';

export class Doctor extends Resource {
  /**
   * Checks the configuration and says how to fix what is wrong: `GET /merchant/v1/doctor`. It asks the platform for a
   * token, the bank list, one transaction and one subscription. These four calls count towards the platform’s limits.
   */
  examine(options?: CallOptions): Promise<Answers['examine']> {
    return this.call('examine', {}, options);
  }
}
