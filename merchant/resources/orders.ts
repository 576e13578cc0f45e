import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions, WriteOptions} from '../options.ts';
import {Resource} from './resource.ts';

/** Orders whose payment the Worker reads. */
export class Orders extends Resource {
  /**
   * Gets all that the Worker knows about an order: `GET /merchant/v1/orders`. `payment` is null if the Worker has
   * deleted the order and only its refunds are known. The call does not reach the platform.
   * @throws {VezneError} `unknown_service` `unknown_order`
   */
  get(input: Inputs['getOrder'], options?: CallOptions): Promise<Answers['getOrder']> {
    return this.call('getOrder', input, options);
  }

  /**
   * Reports that you supplied the goods or services: `POST /merchant/v1/orders/complete` (orders 4.3). Open pages show
   * `completed` immediately. The platform may refuse refunds of a completed order.
   * @throws {VezneError} `unknown_service` `unknown_order` `action_invalid`
   */
  complete(input: Inputs['completeOrder'], options?: WriteOptions): Promise<Answers['completeOrder']> {
    return this.call('completeOrder', input, options);
  }
}
