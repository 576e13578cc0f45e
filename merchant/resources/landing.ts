import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions, WriteOptions} from '../options.ts';
import {Resource} from './resource.ts';

/**
 * The subscription flow of landing pages, for merchants who build their own landing pages. `user_ip` is the shopper’s
 * IP address, not your server’s.
 */
export class Landing extends Resource {
  /**
   * Sends a PIN to a number: `POST /merchant/v1/landing/generate-pin` (subscriptions 4.C). The PIN is valid for ten
   * minutes.
   * @throws {VezneError} `landing_not_found` `number_invalid` `operator_invalid` `not_eligible` `already_subscribed`
   * `billing_cap_reached` `subscription_failed` `test_mode`
   */
  generatePin(input: Inputs['generatePin'], options?: WriteOptions): Promise<Answers['generatePin']> {
    return this.call('generatePin', input, options);
  }

  /**
   * Starts a subscription, with a PIN or with a number token: `POST /merchant/v1/landing/subscription-request`
   * (subscriptions 4.C).
   * @throws {VezneError} `landing_not_found` `pin_wrong` `pin_expired` `number_invalid` `operator_invalid`
   * `number_token_invalid` `not_eligible` `already_subscribed` `billing_cap_reached` `subscription_failed` `test_mode`
   */
  requestSubscription(
    input: Inputs['requestSubscription'],
    options?: WriteOptions,
  ): Promise<Answers['requestSubscription']> {
    return this.call('requestSubscription', input, options);
  }

  /**
   * Cancels a subscription by its id: `POST /merchant/v1/landing/cancel-subscription` (subscriptions 4.C).
   * @throws {VezneError} `subscription_not_found` `already_cancelled` `cannot_cancel`
   */
  cancelSubscription(
    input: Inputs['cancelLandingSubscription'],
    options?: WriteOptions,
  ): Promise<Answers['cancelLandingSubscription']> {
    return this.call('cancelLandingSubscription', input, options);
  }

  /**
   * Gets the number and the mobile operator that a number token stands for: `POST /merchant/v1/landing/get-msisdn`
   * (subscriptions 4.C).
   * @throws {VezneError} `number_token_invalid`
   */
  getNumber(input: Inputs['getNumber'], options?: CallOptions): Promise<Answers['getNumber']> {
    return this.call('getNumber', input, options);
  }

  /**
   * Reports a visit or a click: `POST /merchant/v1/landing/user-activity` (subscriptions 4.C).
   * @throws {VezneError} `landing_not_found`
   */
  addActivity(input: Inputs['addActivity'], options?: WriteOptions): Promise<Answers['addActivity']> {
    return this.call('addActivity', input, options);
  }
}
