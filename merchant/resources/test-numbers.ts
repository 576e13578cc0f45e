import type {Answers, Inputs} from '../contract.ts';
import type {WriteOptions} from '../options.ts';
import {Resource} from './resource.ts';

/** Mobile billing: numbers for testing subscriptions. */
export class TestNumbers extends Resource {
  /**
   * Resets a test number, so that it can subscribe again: `POST /merchant/v1/test-numbers/{service}/{msisdn}/reset`
   * (subscriptions 4.A). `msisdn` must be ten digits and begin with 5.
   * @throws {VezneError} `unknown_service` `number_invalid` `not_found` `egress_unsafe` `quota_exhausted`
   * `rate_limited`
   */
  reset(input: Inputs['resetTestNumber'], options?: WriteOptions): Promise<Answers['resetTestNumber']> {
    return this.call('resetTestNumber', input, options);
  }
}
