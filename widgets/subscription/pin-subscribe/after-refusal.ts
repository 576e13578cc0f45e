/** What the number form shows if the terms have changed or a request for a PIN was refused. The file loads then. */

import {html, nothing, type TemplateResult} from 'lit';
import type {Locale} from '../../core/locale.ts';
import {pinRequestMessages} from '../../locales/pin-request.ts';
import {timeOf, withPin, type EnrollmentFacts} from '../enrollment-facts.ts';
import type {ShownTerms} from '../offer.ts';
import {formatPrice} from '../price.ts';
import type {Enrollee} from '../saved-pin.ts';

/** The longest pause after a first PIN. A longer wait is for too many PINs. */
const PAUSE_MS = 60_000;

/** How long the shopper must wait before the next PIN request. @param inWords - The same time in words. */
export function mayRequestPin(ms: number, inWords: string, locale: Locale): string {
  const t = pinRequestMessages[locale];
  return (ms <= PAUSE_MS ? t.pinJustSent : t.mayRequestPin)(inWords.replace(' ', '\u00a0'));
}

/**
 * The button for shoppers who already have a PIN that this page did not request. It is the form’s only submit button with a
 * name.
 */
export function existingPin(isBusy: boolean, locale: Locale): TemplateResult {
  const t = pinRequestMessages[locale];
  return html`<p class="muted">${t.enterPinHint}</p>
    <button type="submit" name="older" class="button soft" part="button" aria-disabled=${isBusy || nothing}>
      ${t.enterPin}
    </button>`;
}

/** What has changed since the shopper read the terms. @param read - The terms that the shopper has read. */
export function termsChanged(read: ShownTerms, current: ShownTerms, locale: Locale): string {
  const t = pinRequestMessages[locale];
  const before = formatPrice(read, locale);
  const now = formatPrice(current, locale);
  return before === now ? t.termsChanged(now) : t.priceChanged(before, now);
}

/** The shopper has a PIN that this page did not request. @param at - Epoch milliseconds of this device. */
export interface PinKnown {
  readonly enrollee: Enrollee;
  readonly at: number;
}

/** The lifetime of a PIN (`docs/spec/subscriptions.md`, section 8). */
const PIN_LIFETIME_MS = 10 * 60_000;

/** When the PIN was sent is unknown, so it expires as late as possible. */
export function nextAfterPin(facts: EnrollmentFacts, {enrollee, at}: PinKnown): EnrollmentFacts {
  const [as_of, resend_at] = [timeOf(at), timeOf(Math.max(at, facts.notBefore.pin))];
  const sent = {as_of, resend_at, expires_at: timeOf(at + PIN_LIFETIME_MS)};
  return facts.request ? facts : withPin(facts, {enrollee, sent, skewMs: 0, isOlder: true});
}
