/**
 * The cards that end a sign-up or a subscription: the subscription has started, cannot start with this number, or is
 * cancelled. The file with the cards loads later than the elements that show them.
 */

import {html, nothing, type TemplateResult} from 'lit';
import type {
  ShownSubscription,
  Subscription,
  SubscriptionTerms,
} from '../../worker/contract/browser/subscription-answers.ts';
import {formatMsisdn} from '../core/format.ts';
import type {Locale} from '../core/locale.ts';
import type {Problem, ProblemCode} from '../core/problem.ts';
import type {Result, ResultRow} from '../core/result.ts';
import {button, type ButtonStyle} from '../core/templates.ts';
import type {VezneElement} from '../core/vezne-element.ts';
import {subscriptionEndMessages} from '../locales/subscription-end.ts';
import {subscriptionRowMessages} from '../locales/subscription-rows.ts';
import {troubleMessages} from '../locales/trouble.ts';
import {askSeller} from './ask-seller.ts';
import {formatDay, isFuture, nextCharge} from './next-charge.ts';
import {isUnclear} from './pin-refusals.ts';
import {formatPrice} from './price.ts';
import type {SavedStart} from './saved-pin.ts';

/** How long the operator's SMS about a new subscription may take. */
const SMS_MS = 3_600_000;

interface EndCard {
  /** Missing until the terms have loaded. */
  readonly terms?: SubscriptionTerms | undefined;
  /** The element that shows the card. */
  readonly host: VezneElement<unknown>;
}

/** Shows that the subscription has started, for which number, and when it is charged next. */
export function doneCard(title: string, {msisdn, startedAt}: SavedStart, {terms, host}: EndCard): TemplateResult {
  const {locale} = host;
  const t = subscriptionEndMessages[locale];
  const names = subscriptionRowMessages[locale];
  const next = terms && nextCharge(startedAt, terms.period, terms.trial_days);
  const result: Result = {
    tone: 'good',
    title,
    text: Date.now() - Date.parse(startedAt) < SMS_MS ? t.doneText : t.cancelAdvice,
    rows: [
      [terms?.title[locale] ?? '', terms && html`${formatPrice(terms, locale)}`],
      [names.number, msisdn && formatMsisdn(msisdn)],
      [names.started, formatDay(startedAt, locale)],
      [names.nextCharge, next && formatDay(next, locale)],
    ],
  };
  return endCard(result, locale, html`<slot name="done"></slot>${manageLink(terms, locale, 'link')}`);
}

/**
 * Shows the cancelled subscription: when its current period ends, and how to subscribe again.
 * @param cancelled - The cancelled subscription. In the answer to the cancellation, some fields may be missing.
 * @param shown - The subscription as the platform described it before the cancellation, and the seller. If the
 * subscription was cancelled before the page was opened, the two subscriptions are the same object.
 */
export function cancelledCard(
  title: string,
  cancelled: Subscription,
  {subscription: before, seller}: Partial<ShownSubscription>,
  host: VezneElement<unknown>,
): TemplateResult {
  const {locale} = host;
  const {msisdn, price, period, subscribed_at} = {...cancelled, ...before};
  const {cancelled_at} = cancelled;
  const t = subscriptionEndMessages[locale];
  const names = subscriptionRowMessages[locale];
  const day = (at: string | null | undefined) => at && formatDay(at, locale);
  const isCancelledNow = before?.state !== 'cancelled';
  // In the other states, a payment is missing, so no period is running.
  const periodEnd = before?.state === 'active' && isFuture(before.renews_at) ? before.renews_at : undefined;
  const rows: ResultRow[] = [
    [html`<slot name="title">${names.price}</slot>`, price && period && html`${formatPrice({price, period}, locale)}`],
    [names.number, msisdn && formatMsisdn(msisdn)],
    [names.started, day(subscribed_at)],
    [t.cancelled, day(cancelled_at) ?? (isCancelledNow ? formatDay(new Date(), locale) : null)],
    [t.periodEnd, day(periodEnd)],
  ];
  return endCard(
    {tone: 'over', title, text: t.cancelledText, rows},
    locale,
    html`<slot name="title" slot="title">${names.price}</slot><slot name="cancelled"><p class="muted">${t.subscribeAgain}</p></slot>${askSeller(host, seller, cancelled.id)}`,
  );
}

/** Renders the card with its next step. */
function endCard(result: Result, locale: Locale, nextStep: TemplateResult | typeof nothing): TemplateResult {
  return html`<vezne-result lang=${locale} exportparts="status,row" data-autofocus .result=${result}>${nextStep}</vezne-result>`;
}

/**
 * The refusals after which a different number does not help. The next step is to manage the existing subscription, to
 * reload the page, or to ask the seller.
 */
const OTHER_ENDS: {readonly [code in ProblemCode]?: 'manage' | 'reload' | 'seller'} = {
  already_subscribed: 'manage',
  unauthorized: 'reload',
  session_expired: 'reload',
  session_kind: 'reload',
  unknown_offer: 'reload',
  landing_not_found: 'seller',
  subscription_not_found: 'seller',
};

/** What is certain about the money after an attempt to subscribe has failed. */
export function attemptAssurance(problem: Problem | undefined, locale: Locale): string {
  const {notCharged, notTwice} = subscriptionEndMessages[locale];
  return problem && isUnclear(problem) ? notTwice : notCharged;
}

/**
 * Says why the number cannot be subscribed, or that there is no offer or no subscription, and offers the step that
 * helps. If the number is already subscribed, the card has the tone `good`.
 * @param card - Without `useOtherNumber`, the card has no button to use another number.
 * @param assurance - What is certain if the terms could not be read, so that the shopper has not tried to subscribe.
 */
export function refusalCard(
  {code, refusal, details}: Problem,
  {terms, host, useOtherNumber}: EndCard & {readonly useOtherNumber?: () => void},
  assurance: string,
): TemplateResult {
  const {locale} = host;
  const t = subscriptionEndMessages[locale];
  const trouble = troubleMessages[locale];
  const {title, text} = refusal?.messages[locale] ?? {title: trouble.busyTitle, text: trouble.repeat};
  const end = OTHER_ENDS[code];
  const otherNumber = (style: ButtonStyle) => useOtherNumber && button(t.otherNumber, useOtherNumber, style);
  const seller = (isNextStep = false) =>
    askSeller(host, details?.seller ?? terms?.seller, terms?.title[locale], isNextStep);
  const footers: Record<NonNullable<typeof end> | 'number', unknown> = {
    manage: html`${manageLink(terms, locale, 'button')} ${otherNumber('link')}`,
    reload: button(trouble.reload, () => location.reload(), 'button'),
    seller: seller(true),
    // Almost every other number would be refused in the same way.
    number: code === 'test_mode' ? html`${otherNumber('button soft')} ${seller()}` : otherNumber('button'),
  };
  const certain = refusal?.isComplete ? nothing : html`<p class="muted">${terms ? t.notCharged : assurance}</p>`;
  return endCard(
    {tone: end === 'manage' ? 'good' : 'stopped', title, text},
    locale,
    html`${certain}${footers[end ?? 'number']}`,
  );
}

/** Renders a link to the merchant's page for managing the subscription, and a slot for the page's own link. */
function manageLink(terms: SubscriptionTerms | undefined, locale: Locale, style: ButtonStyle): TemplateResult {
  const url = terms?.manage_url;
  return html`${url && html`<a class=${style} part="button" href=${url}>${subscriptionEndMessages[locale].manage}</a>`}<slot name="manage"></slot>`;
}
