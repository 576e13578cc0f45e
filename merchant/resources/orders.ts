import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions, WriteOptions} from '../options.ts';
import {Search} from '../pagination.ts';
import {Resource} from './resource.ts';

/** Orders whose payment the Worker reads. */
export class Orders extends Resource {
  /**
   * Gets all that the Worker knows about an order, by your reference (`order`) or by its order code (`code`): `GET
   * /merchant/v1/orders`. The history of an order can be read for 400 days. `payment` is null if only refunds of the
   * order are known. The Worker does not call the platform for this method.
   * @throws {VezneError} `unknown_service` `unknown_order`
   */
  get(input: Inputs['getOrder'], options?: CallOptions): Promise<Answers['getOrder']> {
    return this.call('getOrder', input, options);
  }

  /**
   * Lists the orders that were created on a day, sorted by reference: `GET /merchant/v1/orders/days/{day}`. With
   * `state`, lists only orders in this state.
   * @throws {VezneError} `unknown_service`
   */
  list(input: Inputs['listOrders'], options?: CallOptions): Search<Answers['listOrders']> {
    return new Search((cursor) => this.call('listOrders', cursor === undefined ? input : {...input, cursor}, options));
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
