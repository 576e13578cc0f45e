/**
 * Saves in the tab that a PIN was requested, because a phone may discard the page while the shopper reads the SMS. Also
 * saves that the subscription has started.
 */

import type {PinSent} from '../../worker/contract/browser/subscription-answers.ts';
import {ignoreErrors} from '../core/ignore-errors.ts';
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
  /** Whether the PIN was requested elsewhere, not by this page. If so, the times in `sent` are estimates. */
  readonly isOlder?: boolean;
  /** Whether the shopper has tried a PIN since this PIN was sent. The funnel counts only the first try. */
  readonly isTried?: boolean;
  /** The masked number that may be subscribed already, as the page knows it. */
  readonly unclear?: string | undefined;
}

/** What is saved after the subscription has started. */
export interface SavedStart {
  /** ISO 8601. If the shopper entered a PIN, this is the time of the Worker's clock. */
  readonly startedAt: string;
  /** The masked number: `532*****67`. */
  readonly msisdn: string | undefined;
}

/** The key of the saved step in `sessionStorage`. */
export function savedStepKey(api: string, {offer, session}: OfferSource): string {
  return `vezne pin ${api} ${session.slice(-12) || offer}`;
}

/** The PIN that can still be entered, or the subscription that has started, in this tab. */
export function readSavedStep(api: string, source: OfferSource): SavedPin | SavedStart | undefined {
  let saved: SavedPin | SavedStart | undefined;
  ignoreErrors(() => (saved = JSON.parse(sessionStorage[savedStepKey(api, source)] as string) as typeof saved));
  return saved && ('startedAt' in saved || expiresInMs(saved, Date.now()) > 0) ? saved : undefined;
}

/** Time until the PIN expires, by the Worker's clock, in milliseconds. */
export function expiresInMs({sent, skewMs, isOver}: SavedPin, now: number): number {
  return isOver ? 0 : Math.max(0, Date.parse(sent.expires_at) - now - skewMs);
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
