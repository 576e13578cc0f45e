import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions, WriteOptions} from '../options.ts';
import {Search} from '../pagination.ts';
import {Resource} from './resource.ts';

/** Money that goes back. */
export class Refunds extends Resource {
  /**
   * A refund: `GET /merchant/v1/refunds/{id}` (orders 4.5).
   * @throws {VezneError} `not_found`
   */
  get(input: Inputs['getRefund'], options?: CallOptions): Promise<Answers['getRefund']> {
    return this.call('getRefund', input, options);
  }

  /**
   * The refunds of an order, several in a marketplace: `GET /merchant/v1/refunds` (orders 4.5).
   * @throws {VezneError} `unknown_order`
   */
  list(input: Inputs['listRefunds'], options?: CallOptions): Search<Answers['listRefunds']> {
    return new Search(() => this.call('listRefunds', input, options));
  }

  /**
   * Asks the platform to give money back: `POST /merchant/v1/refunds` (orders 4.5). For payments that are not completed;
   * the bank settles refunds at the end of the day. `amount` is decimal text in lira, `contact` who gets it.
   *
   * `outcome_unknown` means that nobody knows whether the platform took it: look at `list` before you ask again under
   * another key.
   * @throws {VezneError} `unknown_service` `unknown_order` `order_completed` `not_paid` `already_refunded` `amount_invalid`
   */
  create(input: Inputs['createRefund'], options?: WriteOptions): Promise<Answers['createRefund']> {
    return this.call('createRefund', input, options);
  }
}
