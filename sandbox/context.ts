/** Creates the objects that hold the state of the sandbox. */

import {Billing} from './billing/billing.ts';
import type {Config} from './config.ts';
import {Faults} from './faults.ts';
import {MobileNotifications} from './notifications/mobile.ts';
import {Notifications, NotificationQueue} from './notifications/notifications.ts';
import {Calls, Usage} from './records/calls.ts';
import {Charges} from './records/charges.ts';
import {Clock} from './records/clock.ts';
import {Activities, Pins, NumberTokens} from './records/landing.ts';
import {Messages} from './records/messages.ts';
import {Orders, ShopperDetailsOfOrders} from './records/orders.ts';
import {PaymentNotices} from './records/payment-notices.ts';
import {PaymentPages} from './records/payment-pages.ts';
import {Readings} from './records/readings.ts';
import {Refunds} from './records/refunds.ts';
import {MerchantAddress, Settings} from './records/settings.ts';
import {clearTables, createTables, type RecordClass} from './records/sql.ts';
import {Subscriptions} from './records/subscriptions.ts';
import {Tokens} from './records/tokens.ts';
import {Transactions} from './records/transactions.ts';
import {Vendors} from './records/vendors.ts';

/** Every class that has tables, in the order in which the tables are created. */
const RECORD_CLASSES: readonly RecordClass[] = [
  Clock,
  Tokens,
  Orders,
  Transactions,
  Calls,
  Faults,
  Settings,
  Notifications,
  ShopperDetailsOfOrders,
  PaymentNotices,
  Refunds,
  Vendors,
  Subscriptions,
  Charges,
  Messages,
  Pins,
  NumberTokens,
  Usage,
  Activities,
  PaymentPages,
];

/** The objects that every operation and control uses. */
export interface Context {
  readonly config: Config;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly merchantAddress: MerchantAddress;
  readonly readings: Readings;
  readonly tokens: Tokens;
  readonly orders: Orders;
  readonly shopperDetails: ShopperDetailsOfOrders;
  readonly transactions: Transactions;
  readonly paymentNotices: PaymentNotices;
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
  readonly notificationQueue: NotificationQueue;
  readonly notifications: Notifications;
  readonly calls: Calls;
  readonly faults: Faults;
  /** Deletes every record and releases every call that is held. The sandbox is then as it was on its first start. */
  readonly deleteAll: () => void;
}

export function openContext(sql: SqlStorage, config: Config): Context {
  createTables(sql, RECORD_CLASSES);
  const clock = new Clock(sql);
  const settings = new Settings(sql);
  const readings = new Readings(settings);
  const faults = new Faults(sql);
  const subscriptions = new Subscriptions(sql);
  const charges = new Charges(sql);
  const messages = new Messages(sql, clock);
  const notificationQueue = new NotificationQueue();
  const mobileNotifications = new MobileNotifications(config.notifyUrls, notificationQueue, readings);
  return {
    config,
    clock,
    settings,
    merchantAddress: new MerchantAddress(settings),
    readings,
    tokens: new Tokens(sql, clock, config.tokenLifetimeMs, readings),
    orders: new Orders(sql, clock),
    shopperDetails: new ShopperDetailsOfOrders(sql),
    transactions: new Transactions(sql, clock),
    paymentNotices: new PaymentNotices(sql, clock, readings),
    refunds: new Refunds(sql, clock),
    vendors: new Vendors(sql),
    subscriptions,
    charges,
    messages,
    billing: new Billing({clock, subscriptions, charges, messages, readings, mobileNotifications}),
    pins: new Pins(sql, clock),
    numberTokens: new NumberTokens(sql, clock),
    paymentPages: new PaymentPages(sql, clock),
    usage: new Usage(sql, clock),
    activities: new Activities(sql, clock),
    notificationQueue,
    notifications: new Notifications(sql, clock),
    calls: new Calls(sql, clock),
    faults,
    deleteAll: () => {
      clearTables(sql, RECORD_CLASSES);
      faults.clear();
    },
  };
}
