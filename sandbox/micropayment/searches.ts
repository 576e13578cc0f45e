import type {Context} from '../context.ts';
import {toIsoLocal} from '../formats.ts';
import type {Message} from '../records/messages.ts';
import type {Answer} from '../visit.ts';
import {toChargeItem} from './charge-fields.ts';
import {offsetOf, readSearch, toMeta, type Columns} from './search.ts';
import {toSubscriptionItem} from './subscription-fields.ts';

const SUBSCRIPTION_COLUMNS: Columns = {
  id: {sql: 'id', type: 'number'},
  status: {sql: 'status', type: 'text'},
  msisdn: {sql: 'msisdn', type: 'text'},
  operator: {sql: 'operator', type: 'number'},
  subscriptionFee: {sql: 'fee_kurus', type: 'money'},
  period: {sql: 'period', type: 'text'},
  subscriptionDate: {sql: 'subscribed_at', type: 'time'},
  renewalDate: {sql: 'renews_at', type: 'time'},
  cancellationDate: {sql: 'cancelled_at', type: 'time'},
  cancellationSource: {sql: 'cancellation_source', type: 'text'},
  referenceCode: {sql: 'reference_code', type: 'text'},
  modifiedDate: {sql: 'modified_at', type: 'time'},
};

const CHARGE_COLUMNS: Columns = {
  id: {sql: 'id', type: 'number'},
  status: {sql: 'status', type: 'number'},
  msisdn: {sql: 'msisdn', type: 'text'},
  operator: {sql: 'operator', type: 'number'},
  amount: {sql: 'amount_kurus', type: 'money'},
  transactionDate: {sql: 'charged_at', type: 'time'},
  refundDate: {sql: 'refunded_at', type: 'time'},
  referenceCode: {sql: 'reference_code', type: 'text'},
  subscriptionId: {sql: 'subscription_id', type: 'number'},
  modifiedDate: {sql: 'modified_at', type: 'time'},
};

const MESSAGE_COLUMNS: Columns = {
  id: {sql: 'id', type: 'number'},
  msisdn: {sql: 'msisdn', type: 'text'},
  operator: {sql: 'operator', type: 'number'},
  message: {sql: 'message', type: 'text'},
  date: {sql: 'sent_at', type: 'time'},
  modifiedDate: {sql: 'sent_at', type: 'time'},
};

/** /subscriptions/search (subscriptions 4.A): each cycle is an item of its own. */
export function searchSubscriptions(body: unknown, context: Context): Answer {
  const search = readSearch(body, SUBSCRIPTION_COLUMNS, context);
  const {subscriptions} = context;
  const found = subscriptions.page(search.condition, search.order, search.limit, offsetOf(search));
  return {meta: toMeta(subscriptions.count(search.condition), search), subscriptions: found.map(toSubscriptionItem)};
}

/** /transactions/search (subscriptions 4.A). */
export function searchTransactions(body: unknown, context: Context): Answer {
  const search = readSearch(body, CHARGE_COLUMNS, context);
  const {charges} = context;
  const found = charges.page(search.condition, search.order, search.limit, offsetOf(search));
  return {meta: toMeta(charges.count(search.condition), search), transactions: found.map(toChargeItem)};
}

/** /messages/search (subscriptions 4.A). */
export function searchMessages(body: unknown, context: Context): Answer {
  const search = readSearch(body, MESSAGE_COLUMNS, context);
  const {messages} = context;
  const found = messages.page(search.condition, search.order, search.limit, offsetOf(search));
  return {meta: toMeta(messages.count(search.condition), search), messages: found.map(toMessageItem)};
}

/** MT is a message that ends at a mobile (subscriptions 2.4). */
function toMessageItem({id, serviceId, msisdn, operator, message, sentAt}: Message): Answer {
  return {id, service: serviceId, msisdn, operator, type: 'MT', message, date: toIsoLocal(sentAt)};
}
