import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions, WriteOptions} from '../options.ts';
import {Resource} from './resource.ts';

/**
 * Order codes, which shoppers write into the description of a transfer. Amounts are decimal text in lira: `"149.90"`.
 */
export class OrderCodes extends Resource {
  /**
   * Finds the order code of an order: `GET /merchant/v1/order-codes` (orders 4.2).
   * @throws {VezneError} `unknown_service` `unknown_order`
   */
  find(input: Inputs['findOrderCode'], options?: CallOptions): Promise<Answers['findOrderCode']> {
    return this.call('findOrderCode', input, options);
  }

  /**
   * Creates the order code of an order: `POST /merchant/v1/order-codes` (orders 4.2). `payout`, `sub_merchant_id` and
   * `fee` are for marketplaces.
   * @throws {VezneError} `unknown_service` `order_exists` `amount_invalid`
   */
  create(input: Inputs['createOrderCode'], options?: WriteOptions): Promise<Answers['createOrderCode']> {
    return this.call('createOrderCode', input, options);
  }

  /**
   * Creates an order code that the platform’s own bank page shows. Send the shopper to `url`:
   * `POST /merchant/v1/order-codes/hosted` (orders 4.2).
   * @throws {VezneError} `unknown_service` `order_exists` `amount_invalid` `return_url_not_allowed`
   */
  createHosted(
    input: Inputs['createHostedOrderCode'],
    options?: WriteOptions,
  ): Promise<Answers['createHostedOrderCode']> {
    return this.call('createHostedOrderCode', input, options);
  }

  /**
   * Changes the amount or the split of an order: `PATCH /merchant/v1/order-codes` (orders 4.2).
   * @throws {VezneError} `unknown_service` `unknown_order` `action_invalid` `amount_invalid`
   */
  update(input: Inputs['updateOrderCode'], options?: WriteOptions): Promise<Answers['updateOrderCode']> {
    return this.call('updateOrderCode', input, options);
  }
}
