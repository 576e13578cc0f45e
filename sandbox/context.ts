import {Billing} from './billing/billing.ts';
import type {Configuration} from './configuration.ts';
import {MobileNotifications} from './notifications/mobile.ts';
import {Outgoing} from './notifications/outgoing.ts';
import {Activities} from './records/activities.ts';
import {Calls} from './records/calls.ts';
import {Charges} from './records/charges.ts';
import {Clock} from './records/clock.ts';
import {Faults} from './records/faults.ts';
import {Levers} from './records/levers.ts';
import {MerchantAddress} from './records/merchant-address.ts';
import {Messages} from './records/messages.ts';
import {Notices} from './records/notices.ts';
import {Notifications} from './records/notifications.ts';
import {NumberTokens} from './records/number-tokens.ts';
import {Orders} from './records/orders.ts';
import {PaymentPages} from './records/payment-pages.ts';
import {Pins} from './records/pins.ts';
import {Refunds} from './records/refunds.ts';
import {ShopperDetailsOfOrders} from './records/shopper-details.ts';
import {Subscriptions} from './records/subscriptions.ts';
import {Tokens} from './records/tokens.ts';
import {Transactions} from './records/transactions.ts';
import {Usage} from './records/usage.ts';
import {Vendors} from './records/vendors.ts';
import {clearTables, createTables} from './schema.ts';

/** What every operation and control works with. */
export interface Context {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly levers: Levers;
  readonly address: MerchantAddress;
  readonly tokens: Tokens;
  readonly orders: Orders;
  readonly shopperDetails: ShopperDetailsOfOrders;
  readonly transactions: Transactions;
  readonly notices: Notices;
  readonly refunds: Refunds;
  readonly vendors: Vendors;
  readonly subscriptions: Subscriptions;
  readonly charges: Charges;
  readonly messages: Messages;
  readonly billing: Billing;
  readonly pins: Pins;
  readonly numberTokens: NumberTokens;
  readonly paymentPages: PaymentPages;
  readonly usage: Usage;
  readonly activities: Activities;
  readonly outgoing: Outgoing;
  readonly notifications: Notifications;
  readonly calls: Calls;
  readonly faults: Faults;
  /** Forgets everything, as on the first start. */
  readonly forgetAll: () => void;
}

export function openContext(sql: SqlStorage, configuration: Configuration): Context {
  createTables(sql);
  const clock = new Clock(sql);
  const levers = new Levers(sql);
  const subscriptions = new Subscriptions(sql);
  const charges = new Charges(sql);
  const messages = new Messages(sql, clock);
  const outgoing = new Outgoing();
  const told = new MobileNotifications(configuration.notifyUrls, outgoing);
  return {
    configuration,
    clock,
    levers,
    address: new MerchantAddress(levers),
    tokens: new Tokens(sql, clock, configuration.tokenLifetimeMs),
    orders: new Orders(sql, clock),
    shopperDetails: new ShopperDetailsOfOrders(sql),
    transactions: new Transactions(sql, clock),
    notices: new Notices(sql, clock),
    refunds: new Refunds(sql, clock),
    vendors: new Vendors(sql),
    subscriptions,
    charges,
    messages,
    billing: new Billing({clock, subscriptions, charges, messages, told}),
    pins: new Pins(sql, clock),
    numberTokens: new NumberTokens(sql, clock),
    paymentPages: new PaymentPages(sql, clock),
    usage: new Usage(sql, clock),
    activities: new Activities(sql, clock),
    outgoing,
    notifications: new Notifications(sql, clock),
    calls: new Calls(sql, clock),
    faults: new Faults(sql),
    forgetAll: () => clearTables(sql),
  };
}
