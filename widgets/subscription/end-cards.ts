/**
 * The cards at the end: the subscription has started, it cannot start with this number, or it is cancelled. Their file
 * loads later than the elements that show them.
 */

import {html, nothing, type TemplateResult} from 'lit';
import type {Subscription, SubscriptionTerms} from '../../worker/contract/browser/subscription-answers.ts';
import {formatTime} from '../core/format-time.ts';
import {formatMsisdn} from '../core/format.ts';
import type {Locale} from '../core/locale.ts';
import type {Problem, ProblemCode} from '../core/problem.ts';
import type {Result, ResultRow} from '../core/result.ts';
import {button} from '../core/templates.ts';
import {subscriptionEndMessages} from '../locales/subscription-end.ts';
import {troubleMessages} from '../locales/trouble.ts';
import {formatDay, nextCharge} from './next-charge.ts';
import {formatPrice} from './price.ts';
import type {SavedStart} from './saved-pin.ts';

interface EndCard {
  /** Undefined until the terms have loaded. */
  readonly terms: SubscriptionTerms | undefined;
  readonly locale: Locale;
}

/** Shows that the subscription has started, for which number, and when it is charged next. */
export function doneCard(title: string, {msisdn, startedAt}: SavedStart, {terms, locale}: EndCard): TemplateResult {
  const t = subscriptionEndMessages[locale];
  const next = terms && nextCharge(startedAt, terms.period);
  const result: Result = {
    tone: 'good',
    title,
    text: t.doneText,
    rows: [
      [terms?.title[locale] ?? '', terms && formatPrice(terms, locale)],
      [t.number, msisdn && formatMsisdn(msisdn)],
      [t.started, formatDay(startedAt, locale)],
      [t.nextCharge, next && formatDay(next, locale)],
    ],
  };
  return endCard(result, locale, html`<slot name="done"></slot>${manageLink(terms, locale)}`);
}

/**
 * Shows the cancelled subscription.
 * @param before the subscription as the platform described it before the cancellation. The answer to the cancellation
 * may omit some of its fields.
 */
export function cancelledCard(
  title: string,
  cancelled: Subscription,
  before: Subscription | undefined,
  locale: Locale,
): TemplateResult {
  const {msisdn, price, period, subscribed_at} = {...cancelled, ...before};
  const {cancelled_at} = cancelled;
  const t = subscriptionEndMessages[locale];
  const time = (at: string | null) => at && formatTime(at, locale);
  const rows: ResultRow[] = [
    [t.number, msisdn && formatMsisdn(msisdn)],
    [t.price, price && period && formatPrice({price, period}, locale)],
    [t.started, time(subscribed_at)],
    [t.cancelled, time(cancelled_at) ?? formatDay(new Date(), locale)],
    // Only the state `active` says that the current period was paid.
    [t.paidUntil, before?.state === 'active' ? time(before.renews_at) : null],
  ];
  return endCard({tone: 'over', title, text: t.cancelledText, rows}, locale, html`<slot name="cancelled"></slot>`);
}

/** Renders the card with its next step. */
function endCard(result: Result, locale: Locale, nextStep: TemplateResult | typeof nothing): TemplateResult {
  return html`<vezne-result lang=${locale} exportparts="status,row" data-autofocus .result=${result}>${nextStep}</vezne-result>`;
}

/**
 * Refusals with another next step than a different number: to manage the existing subscription, to reload the page, or
 * none.
 */
const OTHER_ENDS: {readonly [code in ProblemCode]?: 'manage' | 'reload' | 'none'} = {
  already_subscribed: 'manage',
  unauthorized: 'reload',
  session_expired: 'reload',
  session_kind: 'reload',
  landing_not_found: 'none',
};

/**
 * Says why the number cannot be subscribed, and offers the step that helps. If the number is already subscribed, the
 * card has the tone `good`.
 */
export function refusalCard(
  {code, refusal}: Problem,
  {terms, locale, useOtherNumber}: EndCard & {readonly useOtherNumber: () => void},
): TemplateResult {
  const t = subscriptionEndMessages[locale];
  const trouble = troubleMessages[locale];
  const {title, text} = refusal?.messages[locale] ?? {title: trouble.busyTitle, text: trouble.repeat};
  const end = OTHER_ENDS[code];
  const footers: Record<NonNullable<typeof end> | 'other number', TemplateResult | typeof nothing> = {
    manage: html`${manageLink(terms, locale)} ${button(t.otherNumber, useOtherNumber, 'link')}`,
    reload: button(t.reload, () => location.reload(), 'button'),
    none: nothing,
    'other number': button(t.otherNumber, useOtherNumber, 'button'),
  };
  const tone = end === 'manage' ? 'good' : 'stopped';
  return endCard({tone, title, text}, locale, footers[end ?? 'other number']);
}

/** The merchant's page where a subscriber sees and cancels the subscription, and the page's own slot for such a link. */
function manageLink(terms: SubscriptionTerms | undefined, locale: Locale): TemplateResult {
  const {manage} = subscriptionEndMessages[locale];
  return html`${terms?.manage_url ? html`<a class="button soft" part="button" href=${terms.manage_url}>${manage}</a>` : nothing}<slot
      name="manage"
    ></slot>`;
}
