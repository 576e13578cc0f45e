/** Refund links as a shopper's page uses them: it shows what comes back, and sends the name and the IBAN. */

import type {ShownRefund} from '../../contract/browser/answers.ts';
import type {ErrorCode} from '../../contract/codes.ts';
import {clientSubnet, siteSubnet} from '../../http/client-ip.ts';
import {ApiError} from '../../http/errors.ts';
import {errorCodeOf} from '../../http/platform-errors.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import {ExpiringCache} from '../../lib/expiring-cache.ts';
import {openName, REFUND_TOKEN} from '../../lib/link-name.ts';
import {formatAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import type {CommandRefusal} from '../../objects/commands/command.ts';
import {fingerprint} from '../../objects/commands/iban-fingerprint.ts';
import {count, counterOf, networkGuard} from '../../objects/limits/counting.ts';
import type {RefundLink} from '../../objects/refunds/refund-links.ts';
import {loadOperation} from '../../platform/operations/load-operation.ts';
import {linkKey} from '../link-key.ts';
import {forgetLinks, readLink} from '../opened-links.ts';
import {limitRequests} from '../rate-limit.ts';
import {isStillPossible, sendRefund, settledLink} from '../refund-command.ts';
import type {BrowserContext} from './handler.ts';

/** POST /v1/refund-links/preview: what a refund link gives back. */
export async function previewRefund({link}: {readonly link: string}, context: BrowserContext<null>, request: Request) {
  const found = await settledLink(await requireLink(link, request, context), context.objects);
  const isPossible = found.state !== 'open' || (await isStillPossible(found, context.objects));
  return describe(found, isPossible ? STATES[found.state] : 'unavailable');
}

/** POST /v1/refund-contacts: sends the refund of the link to this account, once. */
export async function sendRefundContact(
  {link: token, name, iban}: {readonly link: string; readonly name: string; readonly iban: string},
  context: BrowserContext<null>,
  request: Request,
): Promise<ShownRefund> {
  const link = await requireLink(token, request, context);
  try {
    return await sendOnce(link, name, iban, context);
  } finally {
    forgetLinks(context.objects);
  }
}

async function sendOnce(
  found: RefundLink,
  name: string,
  iban: string,
  {objects, config}: BrowserContext<null>,
): Promise<ShownRefund> {
  // Other details may be sent only after the first ones can lead to no refund any more.
  const link = await settledLink(found, objects);
  const person = `refund contact\n${name.replace(/\s+/g, ' ').trim().toLocaleUpperCase('tr')}\n${iban}`;
  const [current, ...others] = await Promise.all(config.sessionSecrets.map((secret) => fingerprint(person, secret)));
  const claimed = await objects.refunds().claimLink(link.id, [current ?? '', ...others]);
  if (!claimed) throw new ApiError('not_found');
  const {link: own, isOwn} = claimed;
  if (!isOwn) return describe(own, STATES[own.state]);
  if (own.state === 'used') return describe(own, 'sent');
  const outcome = await sendRefund(own, {name, iban}, objects);
  if (outcome.is === 'failed') {
    const {state} = outcome.link;
    const isOver = state === 'withdrawn' || state === 'expired';
    return describe(own, isOver ? state : await refusedState(outcome.refusal));
  }
  return describe(own, outcome.is === 'done' ? 'sent' : 'checking');
}

/** What a page shows of a link in each state, unless it has just sent the details itself. */
const STATES = {open: 'open', sending: 'checking', used: 'used', expired: 'expired', withdrawn: 'withdrawn'} as const;

function describe({amount, shown, expiresAt}: RefundLink, state: ShownRefund['state']): ShownRefund {
  return {state, amount: formatAmount(amount), currency: 'TRY', expires_at: formatInstant(expiresAt), ...shown};
}

/** Codes that say that the money cannot be sent back, wherever it should go. */
const ABOUT_ORDER: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'refund_too_large',
  'already_refunded',
  'action_invalid',
  'amount_invalid',
  'unknown_order',
]);

/** @throws {ApiError} `temporarily_unavailable` if nothing was sent, and the same details may be sent again. */
async function refusedState(refusal: CommandRefusal): Promise<'refused' | 'unavailable'> {
  const code = 'code' in refusal ? refusal.code : await codeOf(refusal.failure);
  if (ABOUT_ORDER.has(code)) return 'unavailable';
  if (code === 'platform_refused' || code === 'invalid_request') return 'refused';
  throw new ApiError('temporarily_unavailable', {retryAfterSeconds: RETRY_AFTER_SECONDS});
}

async function codeOf(failure: Extract<CommandRefusal, {readonly operation: string}>['failure']): Promise<ErrorCode> {
  if (failure.outcome !== 'refused') return 'temporarily_unavailable';
  return errorCodeOf('refundCreate', await loadOperation('refundCreate'), failure);
}

const RETRY_AFTER_SECONDS = 10;

/** Addresses that have named too many invented tokens. */
const guessing = new ExpiringCache<number>({maxEntries: 1_000, maxAgeMs: MINUTE_MS});

/**
 * Finds a link by its token. Only invented tokens count as guesses, so a link opens for a shopper whose address is that of
 * somebody who guesses. A guess stores nothing.
 * @throws {ApiError} `not_found`, `rate_limited`, `temporarily_unavailable`
 */
async function requireLink(token: string, request: Request, context: BrowserContext<null>): Promise<RefundLink> {
  const {objects, config} = context;
  const subnet = clientSubnet(request);
  if (REFUND_TOKEN.test(token) && (await openName(await linkKey(objects), token)) !== null) {
    await limitRequests('refund_links', subnet, context);
    const link = await readLink(token, objects);
    if (link) return link;
    throw new ApiError('not_found');
  }
  const site = siteSubnet(subnet);
  await limitRequests('refund_guesses', site, context);
  const until = guessing.get(site);
  if (until !== undefined) throw tooMany(until - Date.now());
  const counted = await count(objects, networkGuard(subnet), [
    counterOf('address_refund_links_per_minute', site, config.limits.addressRefundLinksPerMinute),
  ]);
  if (counted.full === undefined) throw new ApiError('not_found');
  const waitMs = counted.retryAfterSeconds * 1_000;
  guessing.set(site, Date.now() + waitMs, Date.now() + waitMs);
  throw tooMany(waitMs);
}

function tooMany(waitMs: number): ApiError {
  return new ApiError('rate_limited', {retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000))});
}
