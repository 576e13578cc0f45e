import type {Answers, Inputs, QueuedCommand} from '../contract.ts';
import type {CallOptions, WriteOptions} from '../options.ts';
import {Search} from '../pagination.ts';
import {Resource} from './resource.ts';

/** Mobile billing: charges to phone bills. `service` is a service’s code or its numeric id. */
export class Charges extends Resource {
  /**
   * Gets a charge with its subscription: `GET /merchant/v1/charges/{service}/{id}` (subscriptions 4.A).
   * @throws {VezneError} `unknown_service` `not_found` `quota_exhausted` `rate_limited`
   */
  get(input: Inputs['getCharge'], options?: CallOptions): Promise<Answers['getCharge']> {
    return this.call('getCharge', input, options);
  }

  /**
   * Refunds a charge: `POST /merchant/v1/charges/{service}/{id}/refund` (subscriptions 4.A). With
   * `when_exhausted: 'queue'`, the Worker queues a refund that exceeds the daily limit, and returns its queue position.
   * @throws {VezneError} `unknown_service` `not_found` `already_refunded` `action_invalid` `egress_unsafe`
   * `quota_exhausted` `rate_limited`
   */
  refund(
    input: Inputs['refundCharge'] & {readonly when_exhausted?: 'refuse'},
    options?: WriteOptions,
  ): Promise<Answers['refundCharge']>;
  refund(input: Inputs['refundCharge'], options?: WriteOptions): Promise<Answers['refundCharge'] | QueuedCommand>;
  refund(input: Inputs['refundCharge'], options?: WriteOptions): Promise<Answers['refundCharge'] | QueuedCommand> {
    return this.call('refundCharge', input, options);
  }

  /**
   * Searches charges: `POST /merchant/v1/charges/search` (subscriptions 4.A). A search may have up to three criteria,
   * three sort columns and 100 items per page.
   * @throws {VezneError} `unknown_service` `quota_exhausted` `rate_limited`
   */
  search(input: Inputs['searchCharges'], options?: CallOptions): Search<Answers['searchCharges']> {
    return new Search((cursor) =>
      this.call('searchCharges', cursor === undefined ? input : {...input, cursor}, options),
    );
  }
}
