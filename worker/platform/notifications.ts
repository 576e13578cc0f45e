/** The platform's notifications: what they claim, and what became of them. */

import type {Kurus} from '../lib/money.ts';

/** What became of a notification of the platform's: what the platform is answered follows from it. */
export type NotificationOutcome =
  /** What is true of it is kept. */
  | 'accepted'
  /** It is not what the platform's books or our own record say. */
  | 'invalid'
  /** The platform does not say so yet, or says nothing now. */
  | 'retry';

/** What a notification with a true key claims of a refund. */
export interface RefundNotification {
  readonly id: string;
  /** The service whose key it is. */
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus | null;
  readonly status: string;
  /** Empty where it names none. */
  readonly iban: string;
}

/** The records of mobile billing that a notification may name. */
export const BILLING_RECORD_KINDS = ['subscription', 'charge'] as const;

export type BillingRecordKind = (typeof BILLING_RECORD_KINDS)[number];

/** What an unsigned notification names. */
export interface BillingHint {
  readonly kind: BillingRecordKind;
  /** Service code. */
  readonly service: string;
  readonly id: string;
}
