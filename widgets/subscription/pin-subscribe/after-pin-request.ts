/**
 * What the number form shows only after the shopper has requested a PIN. It loads with the PIN entry, which every
 * request needs.
 */

import {html, nothing, type TemplateResult} from 'lit';
import type {Locale} from '../../core/locale.ts';
import {pinRequestMessages} from '../../locales/pin-request.ts';
import {formatInWords} from '../duration.ts';
import {offerTerms} from '../offer.ts';
import {formatPrice} from '../price.ts';
import type {ShownTerms} from '../script-terms.ts';

/** The longest pause after a first PIN. A longer wait is for too many PINs. */
const PAUSE_MS = 60_000;

/** How long the shopper must wait before the next PIN request. */
export function mayRequestPin(ms: number, locale: Locale): string {
  const t = pinRequestMessages[locale];
  return (ms <= PAUSE_MS ? t.pinJustSent : t.mayRequestPin)(formatInWords(ms, locale).replace(' ', '\u00a0'));
}

/** The terms once the shopper has agreed to them: the price, and the rest on a press. */
export function foldedTerms(offer: ShownTerms, locale: Locale): TemplateResult {
  const t = pinRequestMessages[locale];
  return html`<details>
    <summary class="link">${formatPrice(offer, locale)} · ${t.terms}</summary>
    ${offerTerms(offer, locale)}
  </details>`;
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
