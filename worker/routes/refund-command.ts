/** Runs the refund of a refund link. Each attempt of a link is one command with a fixed id. */

import {MINUTE_MS} from '../lib/durations.ts';
import {formatAmount} from '../lib/money.ts';
import type {Objects} from '../objects.ts';
import type {CommandRefusal} from '../objects/commands/command.ts';
import type {RefundLink} from '../objects/refunds/refund-links.ts';
import {runCommand} from './run-command.ts';

/** How long a request may take from its claim of a link to the begin of its command. */
const CLAIM_MS = MINUTE_MS;
/** `Commands` keeps an outcome for a day longer, so an older claim cannot be judged any more. */
const JUDGED_MS = 6 * 24 * 60 * MINUTE_MS;

export interface RefundContact {
  readonly name: string;
  /** Without spaces. */
  readonly iban: string;
}

/** `unknown`: the platform may have accepted the refund. */
export type RefundOutcome =
  | {readonly is: 'done' | 'unknown'}
  | {readonly is: 'failed'; readonly refusal: CommandRefusal};

/** Sends the refund of a claimed link, once: a repetition gets the outcome. */
export async function sendRefund(link: RefundLink, contact: RefundContact, objects: Objects): Promise<RefundOutcome> {
  const {service, order, id: linkId} = link;
  const request = {service, order, amount: formatAmount(link.amount), contact, linkId};
  try {
    await runCommand(() => objects.commands(service), 'createRefund', request, {id: commandId(link), askedBy: null});
    return {is: 'done'};
  } catch {
    // Not every failure is stored. Once it is concluded, the command cannot be begun by a request that comes late.
    return concludeRefund(link, objects).catch(() => ({is: 'unknown'}));
  }
}

/** The outcome of a claimed link's command. A command that was not begun has failed from now on. */
export async function concludeRefund(link: RefundLink, objects: Objects): Promise<RefundOutcome> {
  const {service, order, amount, id: linkId} = link;
  const unbegun = {service, order, amount, iban: '', linkId};
  const outcome = await objects.commands(service).conclude(commandId(link), 'createRefund', unbegun);
  if (outcome.state === 'done') return {is: 'done'};
  if (outcome.state !== 'failed') return {is: 'unknown'};
  await objects.refunds().releaseLink(link.id, link.attempt);
  return {is: 'failed', refusal: outcome.refusal};
}

/** The link, which is released if its claim led to no refund. */
export async function settledLink(link: RefundLink, objects: Objects): Promise<RefundLink> {
  const ageMs = Date.now() - (link.claimedAt ?? 0);
  if (link.state !== 'sending' || ageMs < CLAIM_MS || ageMs > JUDGED_MS) return link;
  const {is} = await concludeRefund(link, objects);
  return is === 'failed' ? ((await objects.refunds().findLink('id', link.id)) ?? link) : link;
}

function commandId({id, attempt}: RefundLink): string {
  return `${id}.${attempt}`;
}
