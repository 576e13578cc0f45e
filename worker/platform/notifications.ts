/** What a notification of the platform claims, and what the Worker found when it checked the claim. */

import type {Kurus} from '../lib/money.ts';

/** Result of checking a notification; it decides how the Worker answers the platform. */
export type NotificationOutcome =
  /** Handled: everything that proved true is stored. */
  | 'accepted'
  /** It contradicts the platform's own records or ours. */
  | 'invalid'
  /** The platform does not confirm it yet, or does not answer now. */
  | 'retry';

/** What a notification with a valid key claims about a refund. */
export interface RefundNotification {
  readonly id: string;
  /** The service whose key it carries. */
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus | null;
  readonly status: string;
  /** Empty when the notification has no IBAN. */
  readonly iban: string;
}

/** The kinds of mobile billing records that a notification may name. */
export const BILLING_RECORD_KINDS = ['subscription', 'charge'] as const;

export type BillingRecordKind = (typeof BILLING_RECORD_KINDS)[number];

/** The record that an unsigned notification names. */
export interface BillingHint {
  readonly kind: BillingRecordKind;
  /** Service code. */
  readonly service: string;
  readonly id: string;
}
