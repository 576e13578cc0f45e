/** Saves in the tab that a PIN was requested, because a phone may discard the page while the shopper reads the SMS. */

import type {PinSent} from '../../worker/contract/browser/subscription-answers.ts';
import {ignoreErrors} from '../core/storage.ts';
import type {OfferSource} from './offer.ts';

/** The number to subscribe: ten digits, and the id of its operator. */
export interface Enrollee {
  readonly msisdn: string;
  readonly operator: number;
}

/** What is saved about a requested PIN. The PIN itself is only in the SMS. */
export interface SavedPin {
  readonly enrollee: Enrollee;
  readonly sent: PinSent;
  /** The Worker's clock minus this device's clock, in milliseconds. */
  readonly skewMs: number;
  /** Whether the Worker said, before `expires_at`, that the PIN is expired or blocked. */
  readonly isOver?: boolean;
  /** Whether this page did not request the PIN. If so, the times in `sent` are estimates. */
  readonly isOlder?: boolean;
}

/** The key of the saved PIN in `sessionStorage`. */
export function savedPinKey(api: string, {offer, session}: OfferSource): string {
  return `vezne pin ${api} ${session.slice(-12) || offer}`;
}

export function readSavedPin(api: string, source: OfferSource): SavedPin | undefined {
  let saved: SavedPin | undefined;
  ignoreErrors(() => (saved = JSON.parse(sessionStorage[savedPinKey(api, source)] as string) as SavedPin));
  return saved && expiresInMs(saved) > 0 ? saved : undefined;
}

/** Time until the PIN expires, by the Worker's clock, in milliseconds. */
export function expiresInMs({sent, skewMs, isOver}: SavedPin): number {
  return isOver ? 0 : msUntil(sent.expires_at, skewMs);
}

/** The time until `instant`, which is by the Worker's clock, in milliseconds; zero if `instant` has passed. */
export function msUntil(instant: string, skewMs: number): number {
  return Math.max(0, Date.parse(instant) - Date.now() - skewMs);
}

const lastOperatorKey = (api: string) => `vezne operator ${api}`;

/** The mobile operator that the shopper last selected for this Worker; 0 or NaN if there is none. */
export function readLastOperator(api: string): number {
  let operator = 0;
  ignoreErrors(() => (operator = Number(localStorage[lastOperatorKey(api)])));
  return operator;
}

export function saveLastOperator(api: string, operator: number): void {
  ignoreErrors(() => (localStorage[lastOperatorKey(api)] = String(operator)));
}
