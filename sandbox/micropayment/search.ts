/** The three searches of mobile billing. */

import * as z from 'zod';
import {findServiceById} from '../config.ts';
import type {Context} from '../context.ts';
import {addSeconds, toIsoLocal, isLocalDate, isLocalTime} from '../formats.ts';
import type {Message} from '../records/messages.ts';
import type {Reading} from '../records/readings.ts';
import type {Condition} from '../records/sql.ts';
import type {AnswerFields} from '../request.ts';
import {MicropaymentRefusal} from './envelope.ts';
import {toChargeItem, toSubscriptionItem} from './subscriptions-and-charges.ts';

const SUBSCRIPTION_COLUMNS: SearchColumns = {
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

const CHARGE_COLUMNS: SearchColumns = {
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

const MESSAGE_COLUMNS: SearchColumns = {
  id: {sql: 'id', type: 'number'},
  msisdn: {sql: 'msisdn', type: 'text'},
  operator: {sql: 'operator', type: 'number'},
  message: {sql: 'message', type: 'text'},
  date: {sql: 'sent_at', type: 'time'},
  modifiedDate: {sql: 'sent_at', type: 'time'},
};

/** /subscriptions/search (subscriptions.md 4.A). Each cycle of a subscription is one item. */
export function searchSubscriptions(body: unknown, context: Context): AnswerFields {
  const search = listedOnly(readSearch(body, SUBSCRIPTION_COLUMNS, context), context);
  const {subscriptions} = context;
  const found = subscriptions.page(search.condition, search.order, search.limit, offsetOf(search));
  return {meta: toMeta(subscriptions.count(search.condition), search), subscriptions: found.map(toSubscriptionItem)};
}

const LISTED_AFTER_SECONDS = 60;

/** With the reading `subscription_listed: later`, a search does not find cycles that began in the last minute. */
function listedOnly(search: Search, {clock, readings}: Context): Search {
  if (readings.get('subscription_listed') === 'at_once') return search;
  const {sql, bindings} = search.condition;
  const listedUntil = addSeconds(clock.now(), -LISTED_AFTER_SECONDS);
  return {...search, condition: {sql: `${sql} AND subscribed_at <= ?`, bindings: [...bindings, listedUntil]}};
}

/** /transactions/search (subscriptions.md 4.A). */
export function searchCharges(body: unknown, context: Context): AnswerFields {
  const search = readSearch(requireChangeColumn(body, context), CHARGE_COLUMNS, context);
  const {charges} = context;
  const found = charges.page(search.condition, search.order, search.limit, offsetOf(search));
  return {meta: toMeta(charges.count(search.condition), search), transactions: found.map(toChargeItem)};
}

/** Refuses or removes the criterion `modifiedDate`, as the reading `charge_changes` says. */
function requireChangeColumn(body: unknown, {readings}: Context): unknown {
  const reading = readings.get('charge_changes');
  const search = (body as {search?: unknown} | null)?.search;
  if (reading === 'searched' || !Array.isArray(search) || !search.some(isChangeColumn)) return body;
  if (reading === 'ignored')
    return {...(body as object), search: search.filter((criterion) => !isChangeColumn(criterion))};
  const parameter = 'search.0.column';
  throw new MicropaymentRefusal('API_ERR_1001', reading === 'failed' ? {parameter, httpStatus: 200} : {parameter});
}

const isChangeColumn = ({column}: {column?: unknown}) => column === 'modifiedDate';

/** /messages/search (subscriptions.md 4.A). */
export function searchMessages(body: unknown, context: Context): AnswerFields {
  const search = readSearch(body, MESSAGE_COLUMNS, context);
  const {messages} = context;
  const found = messages.page(search.condition, search.order, search.limit, offsetOf(search));
  return {meta: toMeta(messages.count(search.condition), search), messages: found.map(toMessageItem)};
}

/** The type MT means "mobile terminated": a message to a phone (subscriptions.md 2.4). */
function toMessageItem({id, serviceId, msisdn, operator, message, sentAt}: Message): AnswerFields {
  return {id, service: serviceId, msisdn, operator, type: 'MT', message, date: toIsoLocal(sentAt)};
}

// The bodies of the three searches have the same format (subscriptions.md 2.5, 4.A). The code below converts a body to
// SQL. The spec does not show which columns can be searched, so the sandbox defines the columns above.

const MAX_CRITERIA = 3;
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;
const OPERATORS = ['=', '>=', '<=', '>', '<'] as const;

const Body = z.object({
  merchantId: z.int(),
  serviceId: z.int(),
  search: z
    .array(z.object({column: z.string(), term: z.string(), condition: z.enum(OPERATORS).default('=')}))
    .max(MAX_CRITERIA)
    .default([]),
  sort: z
    .array(z.object({column: z.string(), asc: z.boolean()}))
    .max(MAX_CRITERIA)
    .default([]),
  limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  page: z.int().min(1).default(1),
});

/** A column that merchants can search. */
export interface SearchColumn {
  readonly sql: string;
  readonly type: 'number' | 'text' | 'money' | 'time';
}

export type SearchColumns = Readonly<Record<string, SearchColumn>>;

export interface Search {
  readonly condition: Condition;
  /** The SQL after ORDER BY; newest first unless the merchant sorts otherwise. */
  readonly order: string;
  readonly limit: number;
  readonly page: number;
}

/** Reads the body of a search. @throws {MicropaymentRefusal} The refusal names the first parameter that is wrong. */
export function readSearch(body: unknown, columns: SearchColumns, {config, readings}: Context): Search {
  const result = Body.safeParse(body);
  if (!result.success) throw invalid(result.error.issues[0]?.path.join('.') || 'body');
  const {merchantId, serviceId, search, sort, limit, page} = result.data;
  if (merchantId !== config.merchantId) throw invalid('merchantId');
  if (!findServiceById(serviceId)) throw invalid('serviceId');
  const criteria = search.map(({column, term, condition}, index) => {
    const {sql, type} = requireColumn(columns, column, `search.${index}.column`);
    return {
      sql: `${sql} ${condition} ?`,
      bindings: [readTerm(term, type, `search.${index}.term`, readings.get('search_time'))],
    };
  });
  const order = sort.map(({column, asc}, index) => {
    return `${requireColumn(columns, column, `sort.${index}.column`).sql} ${asc ? 'ASC' : 'DESC'}`;
  });
  return {
    condition: {
      sql: ['service_id = ?', ...criteria.map(({sql}) => sql)].join(' AND '),
      bindings: [serviceId, ...criteria.flatMap(({bindings}) => bindings)],
    },
    order: {
      followed: [...order, 'id DESC'].join(', '),
      newest_first: 'id DESC',
      oldest_first: 'id ASC',
    }[readings.get('search_sort')],
    limit,
    page,
  };
}

/** The block `meta` in the answer to a search (subscriptions.md 2.5). */
export function toMeta(totalCount: number, {limit, page}: Search) {
  return {totalCount, limit, page, pageCount: Math.ceil(totalCount / limit)};
}

/** The number of records before the page. */
export function offsetOf({limit, page}: Search): number {
  return Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER);
}

function requireColumn(columns: SearchColumns, name: string, parameter: string): SearchColumn {
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
  if (!column) throw invalid(parameter);
  return column;
}

function readTerm(
  term: string,
  type: SearchColumn['type'],
  parameter: string,
  timeForm: Reading<'search_time'>,
): string | number {
  switch (type) {
    case 'text':
      return term;
    case 'number':
      if (!/^-?\d{1,15}$/.test(term)) throw invalid(parameter);
      return Number(term);
    case 'money':
      if (!/^\d{1,12}(\.\d{1,2})?$/.test(term)) throw invalid(parameter);
      return Math.round(Number(term) * 100);
    case 'time':
      return readTime(term, parameter, timeForm);
  }
}

/**
 * Reads a time in the platform's time zone, with the separators that the reading `search_time` accepts. A date without
 * a time means the first second of that day.
 */
function readTime(term: string, parameter: string, form: Reading<'search_time'>): string {
  const refused = {both: /^$/, space: /T/, iso: / /}[form];
  if (refused.test(term)) throw invalid(parameter);
  const text = term.replace('T', ' ').replace(/\.\d+$/, '');
  if (isLocalDate(text)) return `${text} 00:00:00`;
  if (!isLocalTime(text)) throw invalid(parameter);
  return text;
}

function invalid(parameter: string): MicropaymentRefusal {
  return new MicropaymentRefusal('API_ERR_1001', {parameter});
}
