/** What a notification of the platform claims, and what the Worker found when it checked the claim. */

import type {Kurus} from '../lib/money.ts';

/** The result of checking a notification, which decides how the Worker answers the platform. */
export type NotificationOutcome =
  /** The notification is handled, and what the platform confirmed is stored. */
  | 'accepted'
  /** The notification contradicts the records of the platform or of the Worker. */
  | 'invalid'
  /** The platform does not confirm the notification yet, or does not answer at the moment. */
  | 'retry';

/** What a notification with a valid key claims about a refund. */
export interface RefundNotification {
  readonly id: string;
  /** Code of the service with whose key the notification is signed. */
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus | null;
  readonly status: string;
  /** Empty when the notification has no IBAN. */
  readonly iban: string;
}

/** The kinds of mobile billing records that a notification can be about. */
export type BillingRecordKind = 'subscription' | 'charge';
