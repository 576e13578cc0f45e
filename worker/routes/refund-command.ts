/** Runs the refund of a refund link. Each attempt of a link is one command with a fixed id. */

import type {ErrorCode} from '../contract/codes.ts';
import {DAY_MS, MINUTE_MS} from '../lib/durations.ts';
import {formatAmount} from '../lib/money.ts';
import type {Objects} from '../objects.ts';
import type {CommandRefusal} from '../objects/commands/command.ts';
import {UNVERIFIABLE_RETENTION_MS} from '../objects/commands/commands.ts';
import {findRefundable, notDue} from '../objects/refunds/find-refundable.ts';
import type {RefundLink} from '../objects/refunds/refund-links.ts';
import {runCommand} from './run-command.ts';

/** How long a request may take from its claim of a link to the begin of its command. */
const CLAIM_MS = MINUTE_MS;
/** After this time, `Commands` may have deleted a refund that was sent and has no outcome, so its link sends nothing. */
const JUDGED_MS = UNVERIFIABLE_RETENTION_MS - DAY_MS;

export interface RefundContact {
  readonly name: string;
  /** Without spaces. */
  readonly iban: string;
}

/** `unknown`: the platform may have accepted the refund. */
export type RefundOutcome =
  | {readonly is: 'done' | 'unknown'}
  /** @property link - The link, which was released. */
  | {readonly is: 'failed'; readonly refusal: CommandRefusal; readonly link: RefundLink};

/** Whether the money is still there: it may have been sent back in another way, or the order was completed. */
export const isStillPossible = async (link: RefundLink, objects: Objects): Promise<boolean> =>
  (await explainImpossible(link, objects)) === null;

async function explainImpossible(link: RefundLink, objects: Objects): Promise<ErrorCode | null> {
  const own = link.state === 'open' ? null : commandId(link);
  const {service, order} = link;
  const found = await findRefundable(objects, service, order, () =>
    objects.commands(service).unreportedRefunds(order, own),
  );
  if (!found) return 'refund_too_large';
  const {refundable} = found;
  // If the excess was sent back in another way, the link does not give back the order's other money.
  if (link.reason !== null) return link.amount <= refundable.amount ? null : notDue(refundable);
  return link.amount <= refundable.left ? null : 'refund_too_large';
}

/**
 * Sends the refund of a claimed link, once: a repetition gets the outcome. The link may have been claimed long ago by a
 * request that died, so what a link must fulfil is checked here, and not before the claim.
 */
export async function sendRefund(link: RefundLink, contact: RefundContact, objects: Objects): Promise<RefundOutcome> {
  const {service, order, id: linkId} = link;
  if (link.withdrawnAt !== null || Date.now() >= link.expiresAt) return concludeRefund(link, objects);
  const impossible = await explainImpossible(link, objects);
  if (impossible !== null) return concludeRefund(link, objects, impossible);
  if (!isJudged(link)) return {is: 'unknown'};
  const request = {service, order, amount: formatAmount(link.amount), contact, linkId, isDue: link.reason !== null};
  try {
    await runCommand(objects, 'createRefund', request, {id: commandId(link), askedBy: null});
    return {is: 'done'};
  } catch {
    // Not every failure is stored. Once it is concluded, the command cannot be begun by a request that comes late.
    return concludeRefund(link, objects).catch(() => ({is: 'unknown'}));
  }
}

/** The outcome of a claimed link's command. A command that was not begun has failed from now on. */
export async function concludeRefund(
  link: RefundLink,
  objects: Objects,
  code: ErrorCode = 'temporarily_unavailable',
): Promise<RefundOutcome> {
  if (!isJudged(link)) return {is: 'unknown'};
  const {service, order, amount, id: linkId} = link;
  const unbegun = {service, order, amount, iban: '', linkId};
  const outcome = await objects.commands(service).conclude(commandId(link), 'createRefund', unbegun, code);
  if (outcome.state === 'done') return {is: 'done'};
  if (outcome.state !== 'failed') return {is: 'unknown'};
  const {refusal} = outcome;
  const released = await objects.refunds().releaseLink(link.id, link.attempt, 'failure' in refusal);
  return {is: 'failed', refusal, link: released ?? link};
}

/** The link, which is released if its claim led to no refund. @param afterMs - The least age of such a claim. */
export async function settledLink(link: RefundLink, objects: Objects, afterMs = CLAIM_MS): Promise<RefundLink> {
  if (link.state !== 'sending' || Date.now() - (link.claimedAt ?? 0) < afterMs) return link;
  const outcome = await concludeRefund(link, objects);
  return outcome.is === 'failed' ? outcome.link : link;
}

function isJudged({claimedAt}: RefundLink): boolean {
  return Date.now() - (claimedAt ?? 0) < JUDGED_MS;
}

function commandId({id, attempt}: RefundLink): string {
  return `${id}.${attempt}`;
}
