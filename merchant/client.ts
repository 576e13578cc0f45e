import {createCall} from './http.ts';
import type {VezneOptions} from './options.ts';
import {Banks} from './resources/banks.ts';
import {Charges} from './resources/charges.ts';
import {Commands} from './resources/commands.ts';
import {Doctor} from './resources/doctor.ts';
import {Events} from './resources/events.ts';
import {Keys} from './resources/keys.ts';
import {Landing} from './resources/landing.ts';
import {Messages} from './resources/messages.ts';
import {OrderCodes} from './resources/order-codes.ts';
import {Orders} from './resources/orders.ts';
import {PaymentNotices} from './resources/payment-notices.ts';
import {PaymentPages} from './resources/payment-pages.ts';
import {Quotas} from './resources/quotas.ts';
import {Refunds} from './resources/refunds.ts';
import {Sessions} from './resources/sessions.ts';
import {Subscriptions} from './resources/subscriptions.ts';
import {TestNumbers} from './resources/test-numbers.ts';
import {Transactions} from './resources/transactions.ts';
import {VendorForms} from './resources/vendor-forms.ts';
import {Webhooks} from './resources/webhooks.ts';

/**
 * Client for the merchant API of a Vezne Worker, with one method per endpoint.
 *
 * ```ts
 * const vezne = new Vezne({url: 'https://pay.shop.example', key: process.env.VEZNE_KEY});
 * const {token} = await vezne.sessions.create({
 *   kind: 'payment', origin: 'https://shop.example', service: 'SHOP', order: 'S-1009', amount: '149.90',
 * });
 * ```
 *
 * Inputs and answers have the format of the API: snake_case, ids as text, amounts as decimal text in lira (`"149.90"`),
 * times as ISO 8601 with `+03:00`. A method that fails rejects with a `VezneError`, or with the reason of the signal
 * that you passed. The comment of a method names the section of the platform's spec in parentheses, such as `orders
 * 4.2`. It also lists the error codes that are specific to the method. In addition, any call may fail with
 * `unauthorized`, `invalid_request`, `too_large`, `temporarily_unavailable`, `platform_refused`,
 * `platform_unauthorized`, `platform_address_refused`, `not_configured`, `misconfigured`, `rate_limited` or `internal`.
 * A call whose API key lacks a scope fails with `sessions_scope_missing`, `read_scope_missing`, `money_scope_missing`,
 * `webhooks_scope_missing` or `root_key_required`. Any write may also fail with `in_progress`, `idempotency_key_reused`
 * or `outcome_unknown`. A command (a write that moves money or ends something) may also fail with `command_pending` or
 * `not_done`.
 */
export class Vezne {
  readonly sessions: Sessions;
  readonly orderCodes: OrderCodes;
  readonly orders: Orders;
  readonly transactions: Transactions;
  readonly paymentNotices: PaymentNotices;
  readonly refunds: Refunds;
  readonly vendorForms: VendorForms;
  readonly banks: Banks;
  readonly subscriptions: Subscriptions;
  readonly testNumbers: TestNumbers;
  readonly charges: Charges;
  readonly messages: Messages;
  readonly paymentPages: PaymentPages;
  readonly landing: Landing;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly quotas: Quotas;
  readonly commands: Commands;
  readonly keys: Keys;
  readonly doctor: Doctor;

  /** @throws {TypeError} if an option is missing or invalid. */
  constructor(options: VezneOptions) {
    const call = createCall(options);
    this.sessions = new Sessions(call);
    this.orderCodes = new OrderCodes(call);
    this.orders = new Orders(call);
    this.transactions = new Transactions(call);
    this.paymentNotices = new PaymentNotices(call);
    this.refunds = new Refunds(call);
    this.vendorForms = new VendorForms(call);
    this.banks = new Banks(call);
    this.subscriptions = new Subscriptions(call);
    this.testNumbers = new TestNumbers(call);
    this.charges = new Charges(call);
    this.messages = new Messages(call);
    this.paymentPages = new PaymentPages(call);
    this.landing = new Landing(call);
    this.events = new Events(call);
    this.webhooks = new Webhooks(call);
    this.quotas = new Quotas(call);
    this.commands = new Commands(call);
    this.keys = new Keys(call);
    this.doctor = new Doctor(call);
  }
}
