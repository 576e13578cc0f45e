/** Refund links as a shopper's page uses them: it shows what comes back, and sends the name and the IBAN. */

import type {ShownRefund} from '../../contract/browser/answers.ts';
import type {ErrorCode} from '../../contract/codes.ts';
import {siteSubnet} from '../../http/client-ip.ts';
import {ApiError} from '../../http/errors.ts';
import {errorCodeOf} from '../../http/platform-errors.ts';
import {digest} from '../../lib/crypto.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import {ExpiringCache} from '../../lib/expiring-cache.ts';
import {formatAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import type {CommandRefusal} from '../../objects/commands/command.ts';
import {fingerprint} from '../../objects/commands/iban-fingerprint.ts';
import {count, counterOf, networkGuard} from '../../objects/limits/counting.ts';
import type {RefundLink} from '../../objects/refunds/refund-links.ts';
import {loadOperation} from '../../platform/operations/load-operation.ts';
import {keptBy, openLink, readOnce} from '../kept-reads.ts';
import {limitRequests} from '../rate-limit.ts';
import {isStillPossible, sendRefund, settledLink} from '../refund-command.ts';
import type {BrowserContext, BrowserHandlers} from './handler.ts';

export const refundContactHandlers = {
  /** POST /v1/refund-links/preview: what a refund link gives back. */
  async previewRefund({link}, context) {
    const found = await settledLink(await requireLink(link, context), context.objects);
    const isPossible = found.state !== 'open' || (await isStillPossible(found, context.objects));
    return describe(found, isPossible ? stateOf(found) : 'unavailable');
  },

  /** POST /v1/refund-contacts: sends the refund of the link to this account, once. */
  async sendRefundContact({link: token, name, iban}, context) {
    const {objects, config} = context;
    // Other details may be sent only after the first ones can lead to no refund any more.
    const link = await settledLink(await requireLink(token, context), objects);
    const person = `refund contact\n${name.replace(/\s+/g, ' ').trim().toLocaleUpperCase('tr')}\n${iban}`;
    const [current, ...others] = await Promise.all(config.sessionSecrets.map((secret) => fingerprint(person, secret)));
    const claimed = await objects.refunds().claimLink(link.id, [current ?? '', ...others]);
    keptBy(objects).delete(keyOf(token));
    if (!claimed) throw new ApiError('not_found');
    const {link: own, isOwn} = claimed;
    if (!isOwn) return describe(own, stateOf(own));
    if (own.state === 'used') return describe(own, 'sent');
    const outcome = await sendRefund(own, {name, iban}, objects);
    if (outcome.is === 'failed') {
      const {state} = outcome.link;
      const isOver = state === 'withdrawn' || state === 'expired';
      return describe(own, isOver ? state : await refusedState(outcome.refusal));
    }
    return describe(own, outcome.is === 'done' ? 'sent' : 'checking');
  },
} satisfies Partial<BrowserHandlers>;

/** What a page shows of a link, unless it has just sent the details itself. */
const stateOf = ({state}: RefundLink) => (state === 'sending' ? 'checking' : state);

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
/** How many links that do not exist an address may open: a shopper opens a link whose address was cut once or twice. */
const MAX_GUESSES_PER_MINUTE = 10;
const guessing = new ExpiringCache<true>({maxEntries: 1_000, maxAgeMs: MINUTE_MS});

const keyOf = (token: string) => `/r/${token}`;

/**
 * Finds a link by its token. Only invented tokens count as guesses, so a link opens for a shopper whose address is that of
 * somebody who guesses. A guess stores nothing.
 * @throws {ApiError} `not_found`, `rate_limited`, `temporarily_unavailable`
 */
async function requireLink(token: string, context: BrowserContext<null>): Promise<RefundLink> {
  const {objects, config, subnet} = context;
  if ((await openLink(objects, token)) !== null) {
    await limitRequests('refund_links', subnet, context);
    const read = async () => objects.refunds().openLink(await digest('SHA-256', token));
    const link = await readOnce(objects, keyOf(token), read);
    if (link) return link;
    throw new ApiError('not_found');
  }
  const site = siteSubnet(subnet);
  await limitRequests('refund_guesses', site, context);
  if (guessing.get(site) === undefined) {
    const limit = config.limits.addressSessionsPerMinute === null ? null : MAX_GUESSES_PER_MINUTE;
    const counted = await count(objects, networkGuard(subnet), [
      counterOf('address_refund_links_per_minute', site, limit),
    ]);
    if (counted.full === undefined) throw new ApiError('not_found');
    guessing.set(site, true, Date.now() + counted.retryAfterSeconds * 1_000);
  }
  throw new ApiError('rate_limited', {retryAfterSeconds: 60});
}
