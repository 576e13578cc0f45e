/** Tells everything that happened to one order, from all objects that know of it, and what happens next. */

import type {Config} from '../../config/config.ts';
import type {EndpointAnswer} from '../../contract/merchant/endpoints.ts';
import {ApiError} from '../../http/errors.ts';
import {formatAmount, formatAmountOrNull} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import type {BookedRow} from '../../objects/archive/books-store.ts';
import {findPastOrder, findRows} from '../../objects/archive/find-in-archive.ts';
import type {CommandView} from '../../objects/commands/commands.ts';
import type {AcceptedDelivery, StoredDelivery} from '../../objects/events/delivery-store.ts';
import {GIVE_UP_AFTER_MS} from '../../objects/events/event-delivery.ts';
import {orderSubject} from '../../objects/events/event.ts';
import type {OrderCall, OrderStory} from '../../objects/order/order-calls.ts';
import type {OrderDetails} from '../../objects/order/order-details.ts';
import {isExhausted, type RefundLink} from '../../objects/refunds/refund-links.ts';
import type {RefundRow} from '../../objects/refunds/refund-store.ts';
import {refusalCode, toCommand} from './commands.ts';
import type {Handlers} from './handler.ts';
import {readCheck} from './order-details.ts';

type Answer = EndpointAnswer<'showTimeline'>;
type Happening = Answer['items'][number];
type NextStep = Answer['next'][number];
type Actor = Pick<Happening, 'by' | 'key'>;

const NOTHING = {
  key: null,
  name: null,
  id: null,
  state: null,
  amount: null,
  sender: null,
  webhook: null,
  attempt: null,
  reason: null,
  booked_at: null,
};

const byTime = (a: {readonly at: string}, b: {readonly at: string}) => Date.parse(a.at) - Date.parse(b.at);

export const timelineHandlers = {
  async showTimeline({service, order}, {objects, config, caller}) {
    const stored = objects.order(service, order);
    const [details, live, rows, refunds, links, commands, {events, deliveries, accepted}] = await Promise.all([
      stored.details(),
      stored.story() as Promise<OrderStory | null>,
      findRows(objects, service, order),
      objects.refunds().ofOrder(service, order),
      objects.refunds().linksOfOrder(service, order),
      objects.commands(service).ofOrder(order) as Promise<CommandView[]>,
      objects.outbox().ofSubject(orderSubject(service, order), caller.services),
    ]);
    const past = details ? null : await findPastOrder(objects, service, (month) => month.findOrder(order));
    const stories = [live, past?.story].flatMap((story) => story ?? []);
    if (stories.length + rows.length + refunds.length === 0) throw new ApiError('unknown_order');
    const items = [
      ...rows.flatMap((row) => ofRow(row, refunds, details?.notices ?? [])),
      ...stories.flatMap((story) => ofStory(story, config)),
      ...links.flatMap(ofLink),
      ...commands.flatMap((command) => ofCommand(toCommand(command, config))),
      ...events.flatMap(({id, type: name, created_at: at}) => happened('event', at, WORKER, {name, id})),
      ...accepted.flatMap(ofAccepted),
      ...deliveries.flatMap(ofFailed),
    ];
    const next: NextStep[] = [
      ...(details ? await nextOfOrder(objects, service, details) : []),
      ...refunds.flatMap(({id, due_at}) => step('refund_check', due_at, id)),
      ...links.flatMap(({id, state, expiresAt}) => step('refund_link_end', state === 'open' ? expiresAt : null, id)),
      ...deliveries.flatMap(({id, due_at, queued_at: since}) =>
        step('delivery', due_at, id).concat(step('delivery_end', due_at && since + GIVE_UP_AFTER_MS, id)),
      ),
      ...commands.flatMap(({id, state, dueAt}) => step('command_check', state === 'done' ? null : dueAt, id)),
    ];
    return {service, order, items: items.toSorted(byTime), next: next.toSorted(byTime)};
  },
} satisfies Partial<Handlers>;

const WORKER: Actor = {by: 'worker', key: null};
/** The merchant's server answers deliveries; which key did something is not always known. */
const MERCHANT: Actor = {by: 'merchant', key: null};

/** @param key - The API key of the merchant's server; null or undefined for a shopper. */
function askedBy(key: string | null | undefined): Actor {
  return key ? {by: 'merchant', key} : {by: 'shopper', key: null};
}

function happened(
  what: Happening['what'],
  at: number | string | null | undefined,
  actor: Actor,
  more: Partial<Happening> = {},
): Happening[] {
  return at === null || at === undefined ? [] : [{...NOTHING, at: toText(at), what, ...actor, ...more}];
}

function ofRow(row: BookedRow, refunds: readonly RefundRow[], notices: OrderDetails['notices']): Happening[] {
  const {type, at, state, amount, due, bank, sender, transaction, refund, bookedAt, by, apiKey: key} = row;
  const shown = type.startsWith('order.') ? due : amount;
  const notice = notices.find(({code}) => code === row.notice);
  return happened(
    type,
    at,
    {by, key},
    {
      name: bank ?? notice?.bank ?? null,
      id: refund ?? transaction ?? row.notice,
      state: state ?? notice?.state ?? null,
      amount: formatAmountOrNull(shown),
      sender,
      // Known for as long as the refund: 400 days.
      reason: type === 'refund.failed' ? (refunds.find(({id}) => id === refund)?.state ?? 'failed') : null,
      booked_at: toText(bookedAt),
    },
  );
}

function ofCall({at, what, by, refusal}: OrderCall, {statuses}: Config): Happening[] {
  const operation = refusal && 'operation' in refusal && refusal.operation !== 'tokenGet' ? refusal.operation : null;
  const reason = refusal && refusalCode(refusal, operation ?? 'orderCodeCreate', statuses);
  return happened(what, at, askedBy(by), {reason});
}

/** What only the order itself knows, and after its end its summary. */
function ofStory(
  {code: id, codeAt, codeFor, madeBy: name, handedOverAt, calls}: OrderStory,
  config: Config,
): Happening[] {
  return [
    ...happened('code.created', codeAt, askedBy(codeFor), {name, id}),
    ...happened('handed_over', handedOverAt, askedBy(null)),
    ...calls.flatMap((call) => ofCall(call, config)),
  ];
}

function ofLink(link: RefundLink): Happening[] {
  const {id, state, createdAt, createdBy, openedAt, claimedAt, withdrawnAt, expiresAt} = link;
  const more = {id, state, amount: formatAmount(link.amount)};
  const isSent = state === 'used' || state === 'sending';
  return [
    ...happened('refund_link.created', createdAt, {by: 'merchant', key: createdBy}, more),
    ...happened('refund_link.opened', openedAt, askedBy(null), more),
    ...happened('refund_link.used', isSent ? claimedAt : null, askedBy(null), more),
    ...happened('refund_link.withdrawn', withdrawnAt, isExhausted(link) ? WORKER : MERCHANT, more),
    ...happened('refund_link.expired', state === 'expired' ? expiresAt : null, WORKER, more),
  ];
}

function ofCommand({
  id,
  operation: name,
  state,
  amount,
  asked_by,
  code: reason,
  created_at,
}: ReturnType<typeof toCommand>) {
  return happened('command', created_at, askedBy(asked_by), {name, id, state, amount, reason});
}

function ofAccepted({id, body, webhook, at, attempt, failedAt, reason}: AcceptedDelivery): Happening[] {
  const more = {name: typeOf(body), id, webhook};
  return [
    ...happened('delivery.failed', failedAt, failedBy(reason), {...more, attempt: attempt - 1, reason}),
    ...happened('delivery.accepted', at, MERCHANT, {...more, attempt}),
  ];
}

function ofFailed(delivery: StoredDelivery): Happening[] {
  const {id, body, webhook, state, attempts: attempt, tried_at, last_status, last_fault} = delivery;
  const reason = last_fault ?? (last_status === null ? null : String(last_status));
  return happened('delivery.failed', tried_at, failedBy(reason), {
    name: typeOf(body),
    id,
    webhook,
    state,
    attempt,
    reason,
  });
}

function failedBy(reason: string | null): Actor {
  return reason === 'interrupted' || reason === 'secret_unreadable' ? WORKER : MERCHANT;
}

function typeOf(body: string): string {
  return (JSON.parse(body) as {readonly type: string}).type;
}

async function nextOfOrder(objects: Objects, service: string, details: OrderDetails): Promise<NextStep[]> {
  const {expiresAt, expiryDueAt, statusDueAt, deletedAt, notices, payment} = details;
  const isAwaiting = expiresAt > Date.now() && ['waiting', 'pending', 'partial'].includes(payment.state);
  const check = await readCheck(objects, service, details);
  return [
    ...step('expires', isAwaiting ? expiresAt : expiryDueAt),
    ...step('search', check?.next_check_at ?? null),
    ...step('status_check', statusDueAt),
    ...notices.flatMap(({code: id, dueAt}) => step('notice_check', dueAt, id)),
    ...step('deletion', deletedAt),
  ];
}

function step(what: NextStep['what'], at: number | string | null, id: string | null = null): NextStep[] {
  return at === null ? [] : [{what, at: toText(at), id}];
}

function toText(at: number | string): string {
  return typeof at === 'number' ? formatInstant(at) : at;
}
