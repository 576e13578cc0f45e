/** Collects what a shopper agrees to, for the receipt that a merchant needs in a dispute with a mobile operator. */

import {digestTexts, type ShownTexts} from '../../objects/archive/consent-store.ts';
import type {Consent} from '../../objects/archive/consent-store.ts';
import type {SubscriptionSession} from '../../session.ts';
import type {RouteContext} from '../route.ts';
import {readTexts} from './sessions.ts';

/** What a page sent, and how the shopper confirmed it. */
export type Confirmation = Pick<Consent, 'trackingId' | 'confirmedBy'> & {
  /** Absent if the page did not send it. */
  readonly language: Consent['language'] | undefined;
};

/**
 * What the shopper agrees to with this request. The texts come from the signed session and the texts that the session
 * names; only the language comes from the page. Never throws because of the texts.
 */
export async function readConsent(
  {language = null, ...confirmation}: Confirmation,
  session: SubscriptionSession,
  context: RouteContext,
): Promise<Consent> {
  const at = Date.now();
  const {product, price, period, trialDays = null, origin, offer = null} = session;
  const texts = await shownTexts(session, context);
  return {
    ...confirmation,
    product,
    price,
    period,
    trialDays,
    origin,
    offer,
    ...texts,
    language,
    network: context.subnet,
    at,
  };
}

/**
 * The texts that the session names. If the operator changed the offer after the session was signed, the receipt has
 * only the digest of the texts. The texts themselves may be in the receipt of an earlier consent.
 */
async function shownTexts(
  session: SubscriptionSession,
  context: RouteContext,
): Promise<{textsDigest: string; texts: ShownTexts | null}> {
  const found = await readTexts(session, context).catch(() => null);
  const texts = found && {title: found.title, terms: found.terms};
  const isSame = texts !== null && (await digestTexts(texts)) === session.texts;
  return {textsDigest: session.texts, texts: isSame ? texts : null};
}
