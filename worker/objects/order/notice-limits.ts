import type {Context} from '../../context.ts';
import type {OrderTerms} from '../../session.ts';
import {most} from '../limits/guard-rules.ts';
import type {GuardTicket, Taken} from '../limits/guard.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Of tries, whatever came of them: as many as of notices a day. */
const TRIES_WITHIN_MS = 10 * MINUTE_MS;

type Leave = {readonly ticket: GuardTicket | null} | {readonly limited: {readonly retryAfterSeconds: number}};

/**
 * Whether an order may have another payment notice. Somebody reads every one, so a day has few; what came to nothing is
 * given back by its ticket, and then only a shorter limit holds, of tries.
 */
export async function takeNotice(
  {service, order}: Pick<OrderTerms, 'service' | 'order'>,
  {config, objects}: Context,
): Promise<Leave> {
  const limit = config.limits.orderNoticesPerDay;
  if (limit === null) return {ticket: null};
  const guard = `notices ${service}/${order}`;
  const taken: Taken = await (await objects.guard(guard)).take([most(limit, DAY_MS)]);
  if (!taken.allowed) return {limited: taken};
  const ticket = taken.taking === null ? null : {guard, taking: taken.taking};
  const tried = await (await objects.guard(`tried ${guard}`)).take([most(limit, TRIES_WITHIN_MS)]);
  if (tried.allowed) return {ticket};
  await giveBackNotice(ticket, {objects});
  return {limited: tried};
}

export async function giveBackNotice(ticket: GuardTicket | null, {objects}: Pick<Context, 'objects'>): Promise<void> {
  if (ticket) await (await objects.guard(ticket.guard)).giveBack(ticket.taking);
}
