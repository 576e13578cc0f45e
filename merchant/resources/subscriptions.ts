import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions, WriteOptions} from '../options.ts';
import {Search} from '../pagination.ts';
import {Resource} from './resource.ts';

/** Mobile billing: subscriptions. `service` is a service’s code or its numeric id. */
export class Subscriptions extends Resource {
  /**
   * Gets a subscription with its last charges: `GET /merchant/v1/subscriptions/{service}/{id}` (subscriptions 4.A).
   * @throws {VezneError} `unknown_service` `subscription_not_found` `quota_exhausted` `rate_limited`
   */
  get(input: Inputs['getSubscription'], options?: CallOptions): Promise<Answers['getSubscription']> {
    return this.call('getSubscription', input, options);
  }

  /**
   * Gets the receipt of the consent to a subscription: `GET /merchant/v1/subscriptions/{service}/{id}/consent`. With
   * `address`, `network_matches` says whether the consent came from the network of this IP address.
   * @throws {VezneError} `unknown_service` `not_found`
   */
  getConsent(input: Inputs['getConsent'], options?: CallOptions): Promise<Answers['getConsent']> {
    return this.call('getConsent', input, options);
  }

  /** Lists the receipts of the consents that have a given tracking id, newest first: `GET /merchant/v1/consents`. */
  listConsents(input: Inputs['listConsents'], options?: CallOptions): Search<Answers['listConsents']> {
    return new Search(() => this.call('listConsents', input, options));
  }

  /**
   * Cancels a subscription: `POST /merchant/v1/subscriptions/{service}/{id}/cancel` (subscriptions 4.A). The
   * Worker refuses an id of ten digits that begins with 5: the platform would take it for a test number, and would
   * reset that number instead of cancelling a subscription.
   * @throws {VezneError} `unknown_service` `subscription_not_found` `already_cancelled` `cannot_cancel`
   * `test_number_refused` `egress_unsafe` `quota_exhausted` `rate_limited`
   */
  cancel(input: Inputs['cancelSubscription'], options?: WriteOptions): Promise<Answers['cancelSubscription']> {
    return this.call('cancelSubscription', input, options);
  }

  /**
   * Searches subscriptions: `POST /merchant/v1/subscriptions/search` (subscriptions 4.A). A search may have up to three
   * criteria, three sort columns and 100 items per page.
   * @throws {VezneError} `unknown_service` `quota_exhausted` `rate_limited`
   */
  search(input: Inputs['searchSubscriptions'], options?: CallOptions): Search<Answers['searchSubscriptions']> {
    return new Search((cursor) =>
      this.call('searchSubscriptions', cursor === undefined ? input : {...input, cursor}, options),
    );
  }
}
