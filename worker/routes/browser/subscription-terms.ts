/** What a subscription session is about: its price stands in the token, its texts with the offer or in `Details`. */

import type {Context} from '../../context.ts';
import type {SubscriptionTerms} from '../../contract/browser/subscription-answers.ts';
import {ApiError} from '../../http/errors.ts';
import {formatAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import type {SubscriptionSession} from '../../session.ts';
import {HUMAN_ACTION} from './pin-limits.ts';

/** @throws {ApiError} `unknown_offer` where the offer was taken from the configuration, `session_expired` where the texts are gone. */
export async function describeTerms(session: SubscriptionSession, context: Context): Promise<SubscriptionTerms> {
  const {title, terms} = await textsOf(session, context);
  const {price, period, operators, expiresAt} = session;
  const {oneClick, turnstile} = context.config;
  return {
    kind: 'subscription',
    title,
    terms,
    price: formatAmount(price),
    currency: 'TRY',
    period,
    operators: [...operators],
    create_until: formatInstant(expiresAt),
    human_check: turnstile && {sitekey: turnstile.sitekey, action: HUMAN_ACTION},
    one_click: oneClick,
  };
}

async function textsOf(
  {offer: id, details}: SubscriptionSession,
  {config, objects}: Context,
): Promise<Pick<SubscriptionTerms, 'title' | 'terms'>> {
  if (details !== undefined) {
    const kept = await objects.details(details).show();
    if (kept?.kind !== 'subscription') throw new ApiError('session_expired');
    return kept;
  }
  const offer = config.offers.get(id ?? '');
  if (offer?.kind !== 'subscription') throw new ApiError('unknown_offer');
  return offer;
}
