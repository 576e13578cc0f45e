/** What happened, as the accountant and the actors note it. Amounts are in kuruş, times in epoch milliseconds. */

import type {HttpRequest} from './stage/protocol.ts';

export const HOUR_MS = 3_600_000;
export const WEBHOOK_SECRET = 'sandbox-webhook-secret-that-is-long-enough';
/** How often the merchant may call an operation. Few calls a day, so that histories reach the limits. */
export const PLATFORM_LIMITS: Readonly<Record<string, {readonly day: number; readonly second: number}>> = {
  'subscriptions/search': {day: 120, second: 1},
  'transactions/search': {day: 120, second: 1},
  'subscription/detail': {day: 40, second: 5},
  'subscription/cancel': {day: 2, second: 5},
  'transaction/refund': {day: 3, second: 5},
};

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
  isSent: boolean;
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

export function parse(text: string | null | undefined): Json {
  try {
    return (JSON.parse(text ?? '') as Json | null) ?? {};
  } catch {
    return {};
  }
}
