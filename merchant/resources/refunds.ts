import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions, WriteOptions} from '../options.ts';
import {Search} from '../pagination.ts';
import {Resource} from './resource.ts';

/** Refunds of orders. */
export class Refunds extends Resource {
  /**
   * Gets a refund: `GET /merchant/v1/refunds/{id}` (orders 4.5).
   * @throws {VezneError} `not_found`
   */
  get(input: Inputs['getRefund'], options?: CallOptions): Promise<Answers['getRefund']> {
    return this.call('getRefund', input, options);
  }

  /**
   * Lists the refunds of an order: `GET /merchant/v1/refunds` (orders 4.5). An order may have several
   * refunds.
   * @throws {VezneError} `unknown_order`, `unknown_service`
   */
  list(input: Inputs['listRefunds'], options?: CallOptions): Search<Answers['listRefunds']> {
    return new Search(() => this.call('listRefunds', input, options));
  }

  /**
   * Lists the refunds that were requested on a day, newest first, as the Worker has them stored:
   * `GET /merchant/v1/refunds/days/{day}`.
   * @throws {VezneError} `unknown_service`
   */
  listByDay(input: Inputs['listDayRefunds'], options?: CallOptions): Search<Answers['listDayRefunds']> {
    return new Search((cursor) =>
      this.call('listDayRefunds', cursor === undefined ? input : {...input, cursor}, options),
    );
  }

  /**
   * Asks the platform to refund money of an order: `POST /merchant/v1/refunds` (orders 4.5). The bank settles refunds at
   * the end of the day. `amount` is decimal text in lira. `contact` is the person who receives the money.
   *
   * The platform decides whether the order can be refunded, and how often. If the platform refuses, the error's
   * `platform` has the platform's status and message. The Worker itself refuses a refund (`command_pending`) only until
   * it knows the outcome of an earlier refund of the same order and amount.
   *
   * After `outcome_unknown`, the platform may have accepted the refund. Call `list` before you retry with a new key.
   * @throws {VezneError} `unknown_service` `unknown_order` `not_found` `amount_invalid` `action_invalid`
   */
  create(input: Inputs['createRefund'], options?: WriteOptions): Promise<Answers['createRefund']> {
    return this.call('createRefund', input, options);
  }
}
