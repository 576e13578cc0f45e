import type {Answers, Inputs} from '../contract.ts';
import type {WriteOptions} from '../options.ts';
import {Resource} from './resource.ts';

/** Mobile billing: the platform’s payment page. */
export class PaymentPages extends Resource {
  /**
   * Creates a payment page for one item: `POST /merchant/v1/payment-pages` (subscriptions 4.B). Send the shopper to
   * `url` before `expires_at`. `price` is decimal text in lira. `trial_days` is the number of days before the first
   * charge.
   * @throws {VezneError} `unknown_service` `return_url_not_allowed`
   */
  create(input: Inputs['createPaymentPage'], options?: WriteOptions): Promise<Answers['createPaymentPage']> {
    return this.call('createPaymentPage', input, options);
  }
}
