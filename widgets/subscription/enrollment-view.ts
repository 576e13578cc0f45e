/**
 * What a shopper sees of a subscription that starts on a page. The elements only render a view, and report what the
 * shopper does as events (`enrollment-facts.ts`).
 */

import type {Problem} from '../core/problem.ts';
import {endsPin, isUnclear, refusalOf, type EnrollmentFacts} from './enrollment-facts.ts';
import {type Enrollee, expiresInMs, type SavedPin, type SavedStart} from './saved-pin.ts';

/** What went wrong, and what follows from it. Every view in which the shopper can send something says it. */
export interface Told {
  /** Why the last request failed, wherever it is said. */
  readonly problem: Problem | undefined;
  /** The problem that is said above the button. */
  readonly notice: Problem | undefined;
  /** The field beside which the problem is said instead. */
  readonly field: 'number' | 'operator' | 'pin' | undefined;
  /** How long the view says that the shopper must wait before the button works, in milliseconds. */
  readonly waitMs: number;
  /** Whether an attempt may have subscribed and charged the number already. */
  readonly isUnclear: boolean;
  /** The request whose answer the page waits for. */
  readonly busyWith: 'pin' | 'attempt' | undefined;
  /** Whether the button sends a request now. */
  readonly canSend: boolean;
}

/** The shopper types a number and requests a PIN. */
export interface NumberView extends Told {
  readonly is: 'number';
  /** The number that is shown at first. */
  readonly enrollee: Enrollee | undefined;
  /** Whether the shopper may have a PIN that this page did not request. */
  readonly mayHavePin: boolean;
}

/** `pin`: the PIN from the SMS subscribes the number. `pin-over`: it cannot, so the shopper requests another one. */
export interface PinView extends Told {
  readonly is: 'pin' | 'pin-over';
  readonly pin: SavedPin;
  /** Whether the PIN has replaced another one on this page. */
  readonly isResent: boolean;
  /** Whether the shopper has confirmed without a PIN. */
  readonly isMissing: boolean;
  /** Time until the PIN expires, by the Worker's clock, in milliseconds. It may be over during an attempt. */
  readonly expiresInMs: number;
  /** Time until another PIN can be requested, by the Worker's clock, in milliseconds. */
  readonly resendInMs: number;
  /** Whether the view says which numbers get no SMS. */
  readonly hasHint: boolean;
}

/** The number cannot be subscribed, or nobody can subscribe on this page. */
export interface RefusedView {
  readonly is: 'refused';
  readonly problem: Problem;
  readonly isUnclear: boolean;
}

export interface StartedView {
  readonly is: 'started';
  readonly start: SavedStart;
}

export type EndView = RefusedView | StartedView;

/** What a shopper sees who types a number: one of these, and nothing beside it. */
export type EnrollmentView = NumberView | PinView | EndView;

/** @param now - Epoch milliseconds of this device. */
export function enrollmentView(facts: EnrollmentFacts, now: number): EnrollmentView {
  return endView(facts) ?? (facts.pin ? pinView(facts, facts.pin, now) : numberView(facts, now));
}

export function endView(facts: EnrollmentFacts): EndView | undefined {
  if (facts.started) return {is: 'started', start: facts.started};
  const problem = refusalOf(facts);
  return problem && {is: 'refused', problem, isUnclear: isUnclear(facts)};
}

function numberView(facts: EnrollmentFacts, now: number): NumberView {
  const view = told(facts, now, 'pin', /number|operator/, true);
  const {enrollee} = facts;
  return {is: 'number', ...view, enrollee, mayHavePin: !!view.problem?.retryable};
}

function pinView(facts: EnrollmentFacts, pin: SavedPin, now: number): PinView {
  const {request, notBefore, isResent = false, isPinMissing: isMissing = false} = facts;
  const leftMs = expiresInMs(pin, now);
  // The answer to an attempt decides, even if the PIN has expired since.
  const isOver = leftMs <= 0 && request?.is !== 'attempt';
  const view = told(facts, now, 'attempt', /pin/, isOver);
  const {problem, field} = view;
  const resendInMs = Math.max(0, notBefore.pin - now, Date.parse(pin.sent.resend_at) - now - pin.skewMs);
  const hasHint = !problem || (!isOver && notBefore.pin > now);
  const shared = {...view, pin, isResent, isMissing, expiresInMs: leftMs, resendInMs, hasHint};
  if (!isOver) return {...shared, is: 'pin'};
  const canSend = !request && resendInMs <= 0;
  return {...shared, is: 'pin-over', field: problem && endsPin(problem) ? field : undefined, waitMs: 0, canSend};
}

/**
 * @param is - What the view's button sends.
 * @param fields - The fields that the view has.
 * @param hasCountdown - Whether the view says of a limit only how long the shopper must wait.
 */
export function told(
  facts: EnrollmentFacts,
  now: number,
  is: 'pin' | 'attempt',
  fields = /^$/,
  hasCountdown = false,
): Told {
  const {failure, checkFailure, notBefore, request} = facts;
  const {problem, of = is} = failure ?? {};
  const waitMs = Math.max(0, notBefore[is] - now);
  const field = problem && fieldOf(problem);
  // Without its text, the problem is said above the button, in general words.
  const isBeside = field && fields.test(field) && problem.refusal;
  const isLimit = problem?.code === 'rate_limited' && problem.retryAfterMs > 0;
  return {
    problem,
    notice: checkFailure ?? (isBeside || (isLimit && (hasCountdown || notBefore[of] <= now)) ? undefined : problem),
    field: isBeside ? field : undefined,
    waitMs,
    isUnclear: isUnclear(facts),
    busyWith: request?.is,
    canSend: !request && waitMs <= 0,
  };
}

function fieldOf({code}: Problem): Told['field'] {
  return /^(number|operator|pin)_(?!token)/.exec(code)?.[1] as Told['field'];
}
