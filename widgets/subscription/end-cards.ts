/**
 * The cards that end a sign-up: the subscription has started, or cannot start with this number. The file with the cards
 * loads later than the elements that show them.
 */

import {html, nothing, type TemplateResult} from 'lit';
import type {SubscriptionTerms} from '../../worker/contract/browser/subscription-answers.ts';
import {formatMsisdn} from '../core/format.ts';
import type {Locale} from '../core/locale.ts';
import type {Problem} from '../core/problem.ts';
import type {Result} from '../core/result.ts';
import {button, type ButtonStyle} from '../core/templates.ts';
import {subscriptionEndMessages} from '../locales/subscription-end.ts';
import {subscriptionRowMessages} from '../locales/subscription-rows.ts';
import {troubleMessages} from '../locales/trouble.ts';
import type {RefusedView} from './enrollment-view.ts';
import {formatDay, nextCharge} from './next-charge.ts';
import {formatPrice} from './price.ts';
import type {SavedStart} from './saved-pin.ts';
import type {CardHost} from './view-controller.ts';

/** How long the operator's SMS about a new subscription may take. */
const SMS_MS = 3_600_000;

interface EndCard {
  /** Missing until the terms have loaded. */
  readonly terms?: SubscriptionTerms | undefined;
  readonly view: CardHost;
}

/** Shows that the subscription has started, for which number, and when it is charged next. */
export function doneCard(title: string, {msisdn, startedAt}: SavedStart, {terms, view}: EndCard): TemplateResult {
  const {locale} = view.host;
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

/** Renders the card with its next step. */
export function endCard(result: Result, locale: Locale, nextStep: TemplateResult | typeof nothing): TemplateResult {
  return html`<vezne-result lang=${locale} exportparts="status,row" data-autofocus .result=${result}>${nextStep}</vezne-result>`;
}

/** What is certain about the money after an attempt. @param isUnclear - Whether it may have charged the number. */
export function assuranceText(isUnclear: boolean, locale: Locale): string {
  const {notCharged, notTwice} = subscriptionEndMessages[locale];
  return isUnclear ? notTwice : notCharged;
}

/** The next step after a refusal. Only its button is a primary one. After most refusals, another number helps. */
export function actionOf({code, endsSession, refusal}: Problem): 'manage' | 'reload' | 'ask-seller' | 'other-number' {
  if (endsSession || refusal?.nextStep === 'reload') return 'reload';
  return code === 'already_subscribed' ? 'manage' : refusal?.asksSeller ? 'ask-seller' : 'other-number';
}

/**
 * Says why the number cannot be subscribed, or that there is no offer or no subscription, and offers the step that
 * helps. If the number is already subscribed, the card has the tone `good`.
 * @param own - What is certain if the terms could not be read, so that the shopper has not tried to subscribe.
 */
export function refusalCard(
  {problem, isUnclear}: Omit<RefusedView, 'is'>,
  {terms, view, useOtherNumber}: EndCard & {readonly useOtherNumber?: () => void},
  own: string,
): TemplateResult {
  const {locale} = view.host;
  const {code, refusal, details} = problem;
  const action = actionOf(problem);
  const trouble = troubleMessages[locale];
  const {title, text} = refusal?.messages[locale] ?? {title: trouble.busyTitle, text: trouble.repeat};
  const certain = refusal?.isComplete
    ? nothing
    : html`<p class="muted">${terms ? assuranceText(isUnclear, locale) : own}</p>`;
  const otherNumber = (style: ButtonStyle) =>
    useOtherNumber && button(subscriptionEndMessages[locale].otherNumber, useOtherNumber, style);
  const seller = (isNextStep = false) =>
    view.askSeller(details?.seller ?? terms?.seller, terms?.title[locale], isNextStep);
  const footers: Record<typeof action, unknown> = {
    manage: html`${manageLink(terms, locale, 'button')} ${otherNumber('link')}`,
    reload: button(trouble.reload, () => location.reload(), 'button'),
    'ask-seller': seller(true),
    // Almost every other number would be refused in the same way.
    'other-number': code === 'test_mode' ? html`${otherNumber('button soft')} ${seller()}` : otherNumber('button'),
  };
  return endCard(
    {tone: action === 'manage' ? 'good' : 'stopped', title, text},
    locale,
    html`${certain}${footers[action]}`,
  );
}

/** Renders a link to the merchant's page for managing the subscription, and a slot for the page's own link. */
function manageLink(terms: SubscriptionTerms | undefined, locale: Locale, style: ButtonStyle): TemplateResult {
  const url = terms?.manage_url;
  return html`${url && html`<a class=${style} part="button" href=${url}>${subscriptionEndMessages[locale].manage}</a>`}<slot name="manage"></slot>`;
}
