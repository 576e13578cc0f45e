import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions, WriteOptions} from '../options.ts';
import {Resource} from './resource.ts';

/** Payment notices, with which shoppers report transfers whose description had no order code. */
export class PaymentNotices extends Resource {
  /**
   * Gets a payment notice: `GET /merchant/v1/payment-notices/{id}` (orders 4.4).
   * @throws {VezneError} `not_found`
   */
  get(input: Inputs['getPaymentNotice'], options?: CallOptions): Promise<Answers['getPaymentNotice']> {
    return this.call('getPaymentNotice', input, options);
  }

  /**
   * Creates a payment notice about a transfer whose description had no order code: `POST /merchant/v1/payment-notices`
   * (orders 4.4). Send the shopper to `url`. `bank` is the `code` of the bank that the money was sent to.
   * @throws {VezneError} `unknown_service` `unknown_order` `bank_invalid` `amount_invalid` `return_url_not_allowed`
   */
  create(input: Inputs['createPaymentNotice'], options?: WriteOptions): Promise<Answers['createPaymentNotice']> {
    return this.call('createPaymentNotice', input, options);
  }
}
