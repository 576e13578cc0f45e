/** Asks the platform whether it has a payment notice: the shopper submits it on a page of the platform's, or turns back there. */

import type {Context} from '../../context.ts';
import {failureOf} from '../../platform/failure.ts';
import {stateOf} from '../../platform/statuses.ts';
import type {KeptNotice, OrderStore} from './order-store.ts';
import {describePayment, isSettled} from './payment.ts';

/** Pauses before it is asked for by itself: for a page that stays open while another is led away. */
const FIRST_CHECK_MS = 10_000;
const CHECK_DELAYS_MS = [FIRST_CHECK_MS, 20_000, 40_000, 80_000, 160_000, 320_000, 640_000, 1_280_000];
/** Who looks has it asked for sooner, but the longer it goes on the more seldom. */
const LOOK_STEP_MS = 5_000;
const LOOK_LONGEST_MS = 60_000;

/** The platform takes a number for it (orders 4.4); what it called the notice is text. */
const ASKABLE = /^\d{1,20}$/;

/** A notice that the platform has just made. */
export function newNotice(code: string, said: Pick<KeptNotice, 'at' | 'bank' | 'amount'>): KeptNotice {
  return {
    ...said,
    code,
    sent: false,
    asked: 0,
    askedAt: said.at,
    dueAt: ASKABLE.test(code) ? said.at + FIRST_CHECK_MS : null,
  };
}

/**
 * Asks where it is time to, because somebody looks or by itself. One that the platform dropped is forgotten, so that
 * the shopper may tell again; a status that nobody knows changes nothing.
 * @returns whether anything was learnt.
 */
export async function askNotice(
  store: OrderStore,
  why: 'look' | 'alarm',
  context: () => Pick<Context, 'platform' | 'config'>,
): Promise<boolean> {
  const record = store.record();
  const notice = record?.notice;
  if (!notice || !ASKABLE.test(notice.code) || !isTime(notice, why)) return false;
  const now = Date.now();
  const isOver = isSettled(describePayment(store.facts(record), now, now));
  const asked = notice.asked + 1;
  const pauseMs = notice.sent || isOver ? undefined : CHECK_DELAYS_MS[asked];
  // First of all: a question that is cut off is repeated, and not at once.
  store.update({notice: {...notice, asked, askedAt: now, dueAt: pauseMs === undefined ? null : now + pauseMs}});
  if (isOver) return false;
  const state = await readState(notice, context());
  const known = store.record()?.notice;
  if (known?.code !== notice.code) return false;
  if (state === 'inactive') store.update({notice: undefined});
  else if (!known.sent && (state === 'processing' || state === 'approved'))
    store.update({notice: {...known, sent: true, dueAt: null}});
  else return false;
  return true;
}

function isTime({dueAt, askedAt, asked, sent}: KeptNotice, why: 'look' | 'alarm'): boolean {
  const now = Date.now();
  if (why === 'alarm') return dueAt !== null && now >= dueAt;
  return now >= askedAt + (sent ? LOOK_LONGEST_MS : Math.min(LOOK_LONGEST_MS, LOOK_STEP_MS * (asked + 1)));
}

async function readState(
  {code}: KeptNotice,
  {platform, config}: Pick<Context, 'platform' | 'config'>,
): Promise<string | undefined> {
  try {
    const {paymentNotification} = await platform.call('paymentNotificationGet', {id: code});
    return stateOf('payment_notice', paymentNotification.status, config.statuses);
  } catch (error) {
    // What the platform does not say now is asked for again; an error that is not the platform's is thrown on.
    failureOf(error);
    return undefined;
  }
}
