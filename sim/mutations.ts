/** Faults to plant in the Worker. The simulator must find each of them within a minute. */

import type {Edit} from './world.ts';

export interface Mutation {
  readonly name: string;
  readonly edits: readonly Edit[];
}

const one = (name: string, file: string, find: string, replace: string): Mutation => ({
  name,
  edits: [{file: `worker/${file}`, find, replace}],
});

export const MUTATIONS: readonly Mutation[] = [
  one(
    'an order stores its money without the event',
    'objects/order/order.ts',
    'for (const event of events) this.#events.add(event);',
    '',
  ),
  one(
    'money that a sweep delivers again counts again',
    'objects/order/order-state.ts',
    '!known.has(id) && known.add(id)',
    '(known.has(id) || known.add(id))',
  ),
  one(
    'money after the deadline is ignored',
    'objects/order/order-state.ts',
    'if (!record || added.length === 0) return order;',
    'if (!record || added.length === 0 || now > record.expiresAt) return order;',
  ),
  one(
    'an event is reported again for the same money',
    'objects/order/order-events.ts',
    'if (fact === last.fact && !isRefundedMore) return null;',
    "if (fact === last.fact && !isRefundedMore && state !== 'paid') return null;",
  ),
  one(
    'payment.received is sent although a part was refunded',
    'objects/order/order-events.ts',
    'if ((parseAmount(paid) ?? 0) < (parseAmount(amount) ?? 0)) return false;',
    '',
  ),
  one(
    'a page asks for refunded money again',
    'objects/order/payment.ts',
    'return Math.max(0, facts.amount - amountCounted(facts));',
    'return Math.max(0, facts.amount - totalsOf(facts).paid);',
  ),
  one(
    'an order is paid by any amount',
    'objects/order/payment.ts',
    "if (counted >= amount) return 'paid';",
    "if (counted > 0) return 'paid';",
  ),
  one(
    'the outbox sets no alarm for events that wait',
    'objects/events/outbox.ts',
    'this.#deliveries.dueAt(this.#deliveries.waitingWebhooks()),',
    '',
  ),
  one(
    'a webhook that answers 503 has accepted the event',
    'objects/events/sender.ts',
    'const {ok: accepted, status, headers} = response;',
    'const {status, headers} = response;\n    const accepted = status < 600;',
  ),
  one(
    'events of one order are sent at the same time',
    'objects/events/event-delivery.ts',
    'this.#inFlight.add(event.subject);',
    'this.context.deliveries.setDelivered(event, Date.now());',
  ),
  one(
    'the signature of a webhook lacks the time',
    'objects/events/sender.ts',
    '`${id}.${timestamp}.${body}`',
    '`${id}..${body}`',
  ),
  one(
    'a command counts as not done after one read',
    'objects/commands/command-runner.ts',
    'const delayMs = ABSENCE_DELAYS_MS[command.absences];',
    'const delayMs = ABSENCE_DELAYS_MS[command.absences + 6];',
  ),
  one(
    'a refund without an answer is sent again',
    'platform/client.ts',
    "if (row.effect !== 'read' || attempt >= MAX_RETRIES) return false;",
    'if (attempt >= MAX_RETRIES) return false;',
  ),
  one(
    'a lost answer counts as a refusal',
    'objects/commands/command-runner.ts',
    "this.store.change(id, {state: 'unknown', dueAt: Date.now()});",
    "if (Date.now() > 0) return this.#fail(this.store.get(id), {code: 'not_done'});",
  ),
  one(
    'an answer is not kept for its key',
    'objects/commands/idempotency-ledger.ts',
    'await scheduleAlarm(this.ctx.storage, now + RETENTION_MS);',
    'await scheduleAlarm(this.ctx.storage, now + 1_000);',
  ),
  one(
    'a refund has no event of its result',
    'objects/refunds/refunds.ts',
    'override async alarm(): Promise<void> {',
    'override async alarm(): Promise<void> {\n    if (Date.now() > 0) return;',
  ),
  one(
    'one call a day too many',
    'objects/limits/quota.ts',
    'const free = Math.max(0, day - used);',
    'const free = Math.max(0, day + 1 - used);',
  ),
  one(
    'an order is never deleted',
    'objects/order/order.ts',
    '    this.#sockets.closeAll();\n    await this.#erase();',
    '    this.#sockets.closeAll();',
  ),
  one(
    'a subscription whose answer was lost is not looked up',
    'objects/subscriber/subscriber.ts',
    'await this.#checkUnconfirmed();\n    await this.#receipts.checkDue();',
    'this.#unconfirmed.deleteAll(77);\n    await this.#receipts.checkDue();',
  ),
  one(
    'the receipt of a consent is not handed over',
    'objects/subscriber/subscriber.ts',
    'await this.#receipts.checkDue();',
    '',
  ),
  one(
    'the log has the whole number',
    'objects/subscriber/subscriber.ts',
    'await this.#recordUse(Date.now());\n    const {msisdn, operator} = request;',
    'await this.#recordUse(Date.now());\n    const {msisdn, operator} = request;\n    console.info(msisdn);',
  ),
];
