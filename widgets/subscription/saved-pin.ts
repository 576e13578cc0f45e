import type {PinSent} from '../../worker/contract/browser/subscription-answers.ts';
import {ignoreErrors} from '../core/storage.ts';
import type {OfferSource} from './offer.ts';

/** The number that is to be subscribed: ten digits, and its operator's id. */
export interface Enrollee {
  readonly msisdn: string;
  readonly operator: number;
}

/** A PIN that is on its way. */
export interface SavedPin {
  readonly enrollee: Enrollee;
  readonly sent: PinSent;
  /** How far this device's clock is behind the Worker's, in milliseconds. */
  readonly skewMs: number;
  /** Whether it counts no more, before its time. */
  readonly isOver?: boolean;
  /** Whether it was asked for elsewhere, nobody here knows when. */
  readonly isOlder?: boolean;
}

/** Under which name the tab keeps it: a phone may throw the page away while its owner reads the SMS. */
export function savedPinKey(api: string, {offer, session}: OfferSource): string {
  return `vezne pin ${api} ${session.slice(-12) || offer}`;
}

export function readSavedPin(api: string, source: OfferSource): SavedPin | undefined {
  let saved: SavedPin | undefined;
  ignoreErrors(() => (saved = JSON.parse(sessionStorage[savedPinKey(api, source)] as string) as SavedPin));
  return saved && expiresInMs(saved) > 0 ? saved : undefined;
}

/** For how long the PIN counts, by the Worker's clock, in milliseconds. */
export function expiresInMs({sent, skewMs, isOver}: SavedPin): number {
  return isOver ? 0 : msUntil(sent.expires_at, skewMs);
}

/** How long until a moment of the Worker's clock, in milliseconds. */
export function msUntil(moment: string, skewMs: number): number {
  return Math.max(0, Date.parse(moment) - Date.now() - skewMs);
}
