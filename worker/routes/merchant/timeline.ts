/** Tells everything that happened to one order, from all objects that know of it, and what happens next. */

import type {EndpointAnswer} from '../../contract/merchant/endpoints.ts';
import type {MerchantEvent} from '../../contract/merchant/events.ts';
import {ApiError} from '../../http/errors.ts';
import {formatAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import {bookedMonths} from '../../objects/archive/booking.ts';
import type {BookedRow} from '../../objects/archive/books-store.ts';
import type {CommandView} from '../../objects/commands/commands.ts';
import type {ListedDelivery} from '../../objects/events/delivery-store.ts';
import {orderSubject} from '../../objects/events/event.ts';
import type {OrderDetails} from '../../objects/order/order-details.ts';
import {toCommand} from './commands.ts';
import type {Handlers, WriteContext} from './handler.ts';

type Answer = EndpointAnswer<'showTimeline'>;
type Happening = Answer['items'][number];
type NextStep = Answer['next'][number];

const NOTHING = {
  key: null,
  name: null,
  id: null,
  state: null,
  amount: null,
  sender: null,
  reason: null,
  booked_at: null,
};

const byTime = (a: {readonly at: string}, b: {readonly at: string}) => Date.parse(a.at) - Date.parse(b.at);

export const timelineHandlers: Handlers<'showTimeline'> = {
  async showTimeline({service, order}, context) {
    const {objects} = context;
    const [details, rows, refunds, commands, {events, deliveries}] = await Promise.all([
      objects.order(service, order).details(),
      readRows(objects, service, order),
      objects.refunds().ofOrder(service, order),
      objects.commands(service).ofOrder(order) as Promise<CommandView[]>,
      objects.outbox().ofSubject(orderSubject(service, order)),
    ]);
    if (!details && rows.length === 0 && refunds.length === 0) throw new ApiError('unknown_order');
    const items = [
      ...rows.map(toHappening),
      ...(details ? ofOrder(details) : []),
      ...commands.map((command) => ofCommand(command, context)),
      ...events.map(ofEvent),
      ...deliveries.flatMap(ofDelivery),
    ];
    const next: NextStep[] = [
      ...(details ? await nextOfOrder(objects, service, details) : []),
      ...refunds.flatMap(({id, due_at}) => step('refund_check', due_at, id)),
      ...deliveries.flatMap(({id, due_at}) => step('delivery', due_at, id)),
      ...commands.flatMap(({id, state, dueAt}) => step('command_check', state === 'done' ? null : dueAt, id)),
    ];
    return {service, order, items: items.toSorted(byTime), next: next.toSorted(byTime)};
  },
};

/** The rows of the order in all months that can have them. */
async function readRows(objects: Objects, service: string, order: string): Promise<BookedRow[]> {
  const months = bookedMonths().toReversed();
  const found = await Promise.all(months.map((month) => objects.books(service, month).bookingsOf(month, order)));
  return (found as BookedRow[][]).flat();
}

const ACTORS_OF: Readonly<Record<string, Happening['by']>> = {
  'order.placed': 'shopper',
  'money.arrived': 'shopper',
  'refund.requested': 'merchant',
  'order.overdue': 'worker',
};
/** Who makes an order reach a state without money. */
const ACTORS_OF_STATES: Readonly<Record<string, Happening['by']>> = {
  completed: 'merchant',
  cancelled: 'merchant',
  expired: 'worker',
};

function toHappening({
  type,
  at,
  state,
  amount,
  due,
  bank,
  sender,
  transaction,
  refund,
  bookedAt,
}: BookedRow): Happening {
  const shown = type.startsWith('order.') ? due : amount;
  return {
    ...NOTHING,
    at: formatInstant(at),
    what: type,
    by: ACTORS_OF[type] ?? ACTORS_OF_STATES[state ?? ''] ?? 'platform',
    name: bank,
    id: refund ?? transaction,
    state,
    amount: shown === null ? null : formatAmount(shown),
    sender,
    reason: type === 'refund.failed' ? 'refused' : null,
    booked_at: formatInstant(bookedAt),
  };
}

/** What only the order itself knows. */
function ofOrder({notices, payment}: OrderDetails): Happening[] {
  return [
    ...notices.map(({code, at, bank, amount, state}): Happening => ({
      ...NOTHING,
      at: formatInstant(at),
      what: 'notice.created',
      by: 'shopper',
      name: bank,
      id: code,
      state,
      amount: formatAmount(amount),
    })),
    ...(payment.handed_over_at === null
      ? []
      : [{...NOTHING, at: payment.handed_over_at, what: 'handed_over', by: 'shopper'} as const]),
  ];
}

function ofCommand(command: CommandView, {config}: Pick<WriteContext, 'config'>): Happening {
  const {id, operation, state, amount, asked_by: key, code, created_at: at} = toCommand(command, config);
  return {
    ...NOTHING,
    at,
    what: 'command',
    by: key === null ? 'shopper' : 'merchant',
    key,
    name: operation,
    id,
    state,
    amount,
    reason: code,
  };
}

function ofEvent({id, type: name, created_at: at}: MerchantEvent): Happening {
  return {...NOTHING, at, what: 'event', by: 'worker', name, id};
}

function ofDelivery({id, body, state, tried_at, last_status, last_fault}: ListedDelivery): Happening[] {
  if (tried_at === null) return [];
  const {type: name} = JSON.parse(body) as {readonly type: string};
  const reason = last_fault ?? (last_status === null ? null : String(last_status));
  return [{...NOTHING, at: formatInstant(tried_at), what: 'delivery.failed', by: 'merchant', name, id, state, reason}];
}

async function nextOfOrder(objects: Objects, service: string, details: OrderDetails): Promise<NextStep[]> {
  const {expiresAt, deletedAt, notices, code, payment} = details;
  const isAwaiting = expiresAt > Date.now() && ['waiting', 'pending', 'partial'].includes(payment.state);
  const {nextAt} = code === null ? {nextAt: null} : await objects.sweep(service).pollTimes();
  return [
    ...step('expires', isAwaiting ? expiresAt : null),
    ...step('search', nextAt),
    ...notices.flatMap(({code: id, dueAt}) => step('notice_check', dueAt, id)),
    ...step('deletion', deletedAt),
  ];
}

function step(what: NextStep['what'], at: number | null, id: string | null = null): NextStep[] {
  return at === null ? [] : [{what, at: formatInstant(at), id}];
}
