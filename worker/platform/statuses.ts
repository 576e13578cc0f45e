/** Names for the platform's statuses. */

import {lookUp} from '../lib/look-up.ts';

/** The kinds of statuses. Each kind has its own names, because the same number means something else in each kind. */
export const STATUS_KINDS = ['transaction', 'refund', 'payment_notice', 'charge', 'subscription'] as const;
export type StatusKind = (typeof STATUS_KINDS)[number];

/** Names of statuses, one table per kind. */
export type StatusNames = Readonly<Record<StatusKind, Readonly<Record<string, string>>>>;

/** A name of a status that the Worker knows; `PLATFORM_STATUSES` may add others. */
export type StatusName =
  | 'active'
  | 'approved'
  | 'awaiting_approval'
  | 'awaiting_confirmation'
  | 'cancelled'
  | 'expired'
  | 'failed'
  | 'inactive'
  | 'not_notified'
  | 'partial'
  | 'processing'
  | 'refund_in_progress'
  | 'refunded'
  | 'rejected'
  | 'retry'
  | 'successful'
  | 'suspend'
  | 'waiting';

/**
 * Names of the statuses in `docs/spec/observed.md`. The setting `PLATFORM_STATUSES` can override them. The statuses of
 * a subscription are words, in lowercase here. New words may appear.
 */
const STATUS_NAMES: Readonly<Record<StatusKind, ReadonlyMap<string, StatusName>>> = {
  transaction: new Map([
    ['1', 'processing'],
    ['2', 'not_notified'],
    ['3', 'successful'],
    ['5', 'awaiting_approval'],
    ['6', 'refunded'],
    ['8', 'partial'],
  ]),
  refund: new Map([
    ['-1', 'not_notified'],
    ['1', 'waiting'],
    ['2', 'processing'],
    ['3', 'successful'],
    ['4', 'failed'],
    ['6', 'cancelled'],
  ]),
  payment_notice: new Map([
    ['-1', 'inactive'],
    ['0', 'waiting'],
    ['1', 'processing'],
    ['10', 'approved'],
  ]),
  charge: new Map([
    ['1', 'awaiting_confirmation'],
    ['3', 'successful'],
    ['4', 'failed'],
    ['5', 'expired'],
    ['6', 'refunded'],
    ['7', 'refund_in_progress'],
    ['8', 'cancelled'],
    ['9', 'cancelled'],
    ['-5', 'cancelled'],
    ['-8', 'cancelled'],
    ['-18', 'cancelled'],
  ]),
  subscription: new Map([
    ['active', 'active'],
    ['retry', 'retry'],
    ['cancelled', 'cancelled'],
    ['canceled', 'cancelled'],
    ['suspend', 'suspend'],
    ['suspended', 'suspend'],
    ['rejected', 'rejected'],
  ]),
};

/** Returns the name of a status; `unknown` for a status that has no name. */
export function stateOf(kind: StatusKind, status: string | null, overrides: StatusNames): string {
  if (status === null) return 'unknown';
  const names = overrides[kind];
  const word = toStatusWord(status);
  return lookUp<string>(names, word) ?? STATUS_NAMES[kind].get(word) ?? 'unknown';
}

/** The status as tables have it: without spaces around it, and in lowercase. */
export const toStatusWord = (status: string) => status.trim().toLowerCase();

/** The states of a subscription that has begun and has not ended. */
export const STARTED_STATES: ReadonlySet<string> = new Set(['active', 'retry', 'suspend']);

/** Returns text that is an integer as a number, and any other text unchanged. */
export function numberOrText(text: string | null): number | string | null {
  return text !== null && /^(0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}
