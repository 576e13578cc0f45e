/** A file that loads while a subscriber reads: the cards that end a subscription. */

import {html, type TemplateResult} from 'lit';
import type {ShownSubscription, Subscription} from '../../../worker/contract/browser/subscription-answers.ts';
import {define} from '../../core/define.ts';
import {formatMsisdn} from '../../core/format.ts';
import type {ResultRow} from '../../core/result.ts';
import {VezneResult} from '../../core/vezne-result.ts';
import {managedCardMessages} from '../../locales/managed-cards.ts';
import {subscriptionRowMessages} from '../../locales/subscription-rows.ts';
import {endCard} from '../end-cards.ts';
import {formatDay, isFuture} from '../next-charge.ts';
import {formatPrice} from '../price.ts';
import type {CardHost} from '../view-controller.ts';

export {refusalCard} from '../end-cards.ts';
export {forgetStart} from './forget-start.ts';

define(VezneResult);

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
  view: CardHost,
): TemplateResult {
  const {locale} = view.host;
  const {msisdn, price, period, subscribed_at} = {...cancelled, ...before};
  const {cancelled_at} = cancelled;
  const t = managedCardMessages[locale];
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
    html`<slot name="title" slot="title">${names.price}</slot><slot name="cancelled"><p class="muted">${t.subscribeAgain}</p></slot>${view.askSeller(seller, cancelled.id)}`,
  );
}
