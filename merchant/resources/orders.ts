import type {Answers, Inputs} from '../contract.ts';
import type {WriteOptions} from '../options.ts';
import {Resource} from './resource.ts';

export class Orders extends Resource {
  /**
   * Reports that you supplied the goods or services: `POST /merchant/v1/orders/complete` (orders 4.3). Open pages show
   * `completed` immediately. The platform may refuse refunds of a completed order.
   * @throws {VezneError} `unknown_service` `unknown_order` `action_invalid`
   */
  complete(input: Inputs['completeOrder'], options?: WriteOptions): Promise<Answers['completeOrder']> {
    return this.call('completeOrder', input, options);
  }
}
