import type {Answers, Inputs} from '../contract.ts';
import type {WriteOptions} from '../options.ts';
import {Resource} from './resource.ts';

/** Mobile billing: numbers to try subscriptions with. */
export class TestNumbers extends Resource {
  /**
   * Makes a test number free again: `POST /merchant/v1/test-numbers/{service}/{msisdn}/reset` (subscriptions 4.A).
   * `msisdn` is ten digits beginning with 5; nothing else is taken.
   * @throws {VezneError} `unknown_service` `number_invalid` `not_found` `egress_unsafe` `quota_exhausted` `rate_limited`
   */
  reset(input: Inputs['resetTestNumber'], options?: WriteOptions): Promise<Answers['resetTestNumber']> {
    return this.call('resetTestNumber', input, options);
  }
}
