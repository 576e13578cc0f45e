/** Records a receipt of each consent to a subscription, for disputes with a mobile operator. */

import {clientSubnet} from '../../http/client-ip.ts';
import {describeError, log} from '../../lib/log.ts';
import {formatMonth} from '../../lib/time.ts';
import {digestTexts, type ShownTexts} from '../../objects/consents/consent-store.ts';
import type {NewConsent} from '../../objects/consents/consents.ts';
import type {SubscribeResult} from '../../objects/subscriber/subscription-refusals.ts';
import {isBroken} from '../../platform/failure.ts';
import type {SubscriptionSession} from '../../session.ts';
import type {RouteContext} from '../route.ts';
import {readTexts} from './sessions.ts';

/** How many times the Worker tries to store the receipt. */
const ATTEMPTS = 3;

/** What a page sent, and how the shopper confirmed it. */
export type Confirmation = Pick<NewConsent, 'trackingId' | 'subscriber' | 'confirmedBy'> & {
  /** Absent if the page did not send it. */
  readonly language: NewConsent['language'] | undefined;
};

/**
 * Records a receipt if the subscription started, or may have started because the platform's answer was lost. The
 * receipt's texts come from the signed session and the texts that the session names; only the language comes from the
 * page. A failure is logged and not thrown, because the subscription has already started.
 */
export async function recordConsent(
  result: SubscribeResult,
  {language = null, ...confirmation}: Confirmation,
  session: SubscriptionSession,
  request: Request,
  context: RouteContext,
): Promise<void> {
  const outcome = outcomeOf(result);
  if (outcome === null) return;
  const at = Date.now();
  const {product, price, period, origin, offer} = session;
  const {textsDigest, texts} = await shownTexts(session, context);
  const facts = {product, price, period, origin, offer: offer ?? null, textsDigest, language};
  const consent = {...confirmation, ...facts, outcome, texts, network: clientSubnet(request), at};
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await context.objects.consents(formatMonth(at)).add(consent);
    } catch (error) {
      if (attempt < ATTEMPTS) continue;
      const {requestId: request_id} = context;
      return log('error', 'record_failed', {request_id, names: ['consent'], error: describeError(error)});
    }
  }
}

/** Null if the subscription certainly did not start. */
function outcomeOf(result: SubscribeResult): NewConsent['outcome'] | null {
  if ('subscribed' in result) return 'subscribed';
  return 'failure' in result && result.failure.outcome !== 'unsent' && isBroken(result.failure) ? 'unknown' : null;
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
  const digest = texts && (await digestTexts(texts));
  if (session.texts === undefined || session.texts === digest) return {textsDigest: digest ?? '', texts};
  return {textsDigest: session.texts, texts: null};
}
