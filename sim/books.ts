/** What happened, as the accountant and the actors note it. Amounts are in kuruş, times in epoch milliseconds. */

import type {HttpRequest} from './stage/protocol.ts';

export const HOUR_MS = 3_600_000;
/** What the merchant's pages sell. */
export const OFFERS: Readonly<Record<string, {readonly kurus: number; readonly hours: number}>> = {
  gold: {kurus: 14_990, hours: 72},
  brief: {kurus: 5_000, hours: 1},
};
/** After so many attempts, an event is dead. */
export const ATTEMPTS = 15;
export const WEBHOOK_SECRET = 'sandbox-webhook-secret-that-is-long-enough';
/** The events of a refund's results, by the platform's statuses. */
export const RESULTS: ReadonlyMap<number, string> = new Map([
  [3, 'refund.settled'],
  [4, 'refund.failed'],
  [6, 'refund.failed'],
]);

/** A broken rule, whose name is the cause. */
export class Violation extends Error {}
export function violate(rule: string, message: string): never {
  throw new Violation(message, {cause: rule});
}

export type Json = Readonly<Record<string, unknown>>;
/** The statuses that the platform gave the refund, the newest last. */
type Refund = {readonly kurus: number; readonly wish: Wish; readonly statuses: number[]};

export interface OrderBook {
  readonly ref: string;
  readonly kurus: number;
  readonly hours: number;
  /** The codes that the Worker told; more than one is a violation. */
  readonly codes: Set<string>;
  codeAt: number;
  isCodeLost: boolean;
  readonly money: Map<string, {readonly kurus: number; readonly at: number}>;
  readonly refunds: Map<string, Refund>;
  /** The money that the Worker has told anybody, and since when. */
  readonly told: Map<string, number>;
  lastView: Json | null;
  readonly events: Event[];
}

/** Something that the merchant or a subscriber wants once. */
export interface Wish {
  readonly key: string;
  readonly kind: 'refund' | 'complete' | 'cancel' | 'refund-charge' | 'subscribe';
  /** What the platform's call shows of it. */
  readonly mark: string;
  readonly order: string | null;
  readonly amount?: string;
  readonly request: HttpRequest;
  readonly madeAt: number;
  /** Calls that the platform may have carried out: done, or without an answer. */
  sent: number;
  readonly done: string[];
  outcome: 'pending' | 'done' | 'failed' | 'unknown';
  /** The code of the last answer; empty for a success. */
  code: string;
}

export interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: Json;
  readonly body: string;
  /** How often it was sent to the webhook. */
  attempts: number;
  isAccepted: boolean;
  isListed: boolean;
}

export const toKurus = (text: unknown): number => Math.round(Number(text) * 100);
export const toText = (kurus: number): string => (kurus / 100).toFixed(2);
export const amountOf = (entries: Iterable<{readonly kurus: number}>): number =>
  [...entries].reduce((total, {kurus}) => total + kurus, 0);
export const arrivedOf = ({money}: OrderBook): number => amountOf(money.values());
export const deadlineOf = ({codeAt, hours}: OrderBook): number => codeAt + hours * HOUR_MS;
export const shownPaid = ({lastView}: OrderBook): number => toKurus(lastView?.['paid'] ?? 0);
export const list = (value: unknown): readonly Json[] => (value ?? []) as readonly Json[];

export const idsIn = (view: Json): string[] => list(view['transactions']).map(({id}) => String(id));
/** Whether the event was sent, and will be sent again. */
export const isWaiting = ({attempts, isAccepted}: Event): boolean => attempts > 0 && attempts < ATTEMPTS && !isAccepted;
export const isPayment = ({type}: Event): boolean => type.startsWith('payment.');
export const isSameMoney = (one: Json, other: Json): boolean =>
  one['paid'] === other['paid'] && one['refunded'] === other['refunded'] && idsIn(one).join() === idsIn(other).join();
export const hasUnsaid = ({told, events}: OrderBook): boolean =>
  [...told.keys()].some((id) => !events.some(({body}) => body.includes(id)));

/** The money that was sent back, or only what the Worker must know of. The status -1 does not say so yet. */
export function paidOut({refunds}: OrderBook, isSure = false): number {
  const isCounted = ({statuses, wish}: Refund) =>
    statuses.at(-1) === 3 ? !isSure || wish.outcome !== 'unknown' : statuses.at(-1) === -1 && !isSure;
  return amountOf([...refunds.values()].filter(isCounted));
}

/** The largest sum of some of the amounts, but not all of them, that is at most `most`. */
export function largestPart(amounts: readonly number[], most: number): number {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const sums = new Set([0]);
  for (const amount of amounts)
    for (const sum of Array.from(sums)) if (sum + amount <= most && sum + amount < total) sums.add(sum + amount);
  return Math.max(...sums);
}

export function parse(text: string | null | undefined): Json {
  try {
    return (JSON.parse(text ?? '') as Json | null) ?? {};
  } catch {
    return {};
  }
}
