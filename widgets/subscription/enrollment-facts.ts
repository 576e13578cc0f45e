/**
 * Everything that a page knows of one subscription that starts on it, as one value that is never changed, and every
 * event that leads from one such value to the next. What the shopper sees of it is decided in `enrollment-view.ts`.
 */

import type {NewSubscriptionSession, PinSent, ShownNumber} from '../../worker/contract/browser/subscription-answers.ts';
import type {Problem, ProblemCode} from '../core/problem.ts';
import {valueOf, type QueryResult} from '../core/query.ts';
import {type Enrollee, expiresInMs, type SavedPin, type SavedStart} from './saved-pin.ts';

/** The number that a number token of the mobile network stands for. */
export interface Recognized {
  readonly token: string;
  /** The masked number. */
  readonly msisdn: string | undefined;
}

/** A request for a PIN, or an attempt to subscribe. Its answer counts only while the page waits for this request. */
export type EnrollmentRequest =
  | {readonly is: 'pin'; readonly of: Enrollee}
  | {readonly is: 'attempt'; readonly of: Enrollee | Recognized};

export interface EnrollmentFacts {
  /** Whether the page has opened the session itself, so that it can open another one. */
  readonly ownsSession: boolean;
  /** The terms of the offer, and the session to subscribe with. */
  readonly offer: QueryResult<NewSubscriptionSession>;
  /** The PIN that was sent last, even if it is over. */
  readonly pin: SavedPin | undefined;
  /** Whether this PIN has replaced another one on this page. */
  readonly isResent?: boolean;
  /** Whether the shopper has confirmed without a PIN. */
  readonly isPinMissing?: boolean;
  /** The number of the PIN that is no longer entered. The form shows it again. */
  readonly enrollee?: Enrollee | undefined;
  readonly request?: EnrollmentRequest | undefined;
  /** Why the last request failed. */
  readonly failure?: {readonly problem: Problem; readonly of: EnrollmentRequest['is']} | undefined;
  /** Why the human check could not be shown. */
  readonly checkFailure?: Problem | undefined;
  /** The masked number that may be subscribed already: the last attempt without a clear answer was to subscribe it. */
  readonly unclear?: string | undefined;
  /** When the Worker accepts the next request of each kind, in epoch milliseconds of this device. */
  readonly notBefore: Readonly<Record<EnrollmentRequest['is'], number>>;
  readonly started: SavedStart | undefined;
  /** Whether the page was told that the subscription has started. */
  readonly isAnnounced?: boolean;
  /** The number token with which one click subscribes; empty if there is none. */
  readonly token: string;
  /** The masked number of the token; null if the token is not accepted. */
  readonly recognized: QueryResult<ShownNumber | null>;
  /** Whether the shopper has tried to subscribe with a token. The funnel counts only the first try. */
  readonly isTokenTried?: boolean;
  /** Why the shopper types a number although there is a token: by choice, or because of a refusal. */
  readonly typing?: 'chosen' | 'needed' | undefined;
}

/** What can happen. Later files have the rest. `at`: epoch milliseconds of this device. */
export type EnrollmentEvent =
  | {readonly is: 'requested'; readonly request: EnrollmentRequest; readonly at: number}
  | {readonly is: 'pin-sent'; readonly to: EnrollmentRequest; readonly sent: PinSent; readonly at: number}
  | {readonly is: 'subscribed'; readonly to: EnrollmentRequest; readonly at: number}
  | {readonly is: 'failed'; readonly to: EnrollmentRequest; readonly problem: Problem; readonly at: number}
  /** The device is online again after this problem. */
  | {readonly is: 'online'; readonly after: Problem}
  | {readonly is: 'check-failed'; readonly problem: Problem}
  /** The shopper has confirmed without a PIN. */
  | {readonly is: 'pin-missing'}
  /** The shopper wants to subscribe another number. */
  | {readonly is: 'number-dropped'}
  | {readonly is: 'announced'};

/** Tells what the page knows after an event. */
export type Next<E> = (facts: EnrollmentFacts, event: E) => EnrollmentFacts;

export const timeOf = (ms: number) => new Date(ms).toISOString();

/** What the page knows after an event. An event that is not possible now changes nothing. */
export function next(facts: EnrollmentFacts, event: EnrollmentEvent): EnrollmentFacts {
  const {request, pin} = facts;
  if ('to' in event && event.to !== request) return facts;
  switch (event.is) {
    case 'requested':
      return mayRequest(facts, event.request, event.at) ? withRequest(facts, event.request) : facts;
    case 'pin-sent': {
      const {sent, at, to} = event;
      const replaced = withPin(facts, {enrollee: to.of as Enrollee, sent, skewMs: Date.parse(sent.as_of) - at});
      return {...replaced, isResent: !!pin};
    }
    case 'pin-missing':
      return {...facts, isPinMissing: true};
    case 'subscribed':
      return withStart(facts, event.to.of, event.at);
    case 'failed': {
      const {to, problem, at} = event;
      const notBefore = {...facts.notBefore, [to.is]: at + problem.retryAfterMs};
      const failed = {...facts, request: undefined, failure: {problem, of: to.is}, notBefore};
      return to.is === 'pin' ? failed : afterAttempt(failed, to.of, event);
    }
    case 'online':
      return facts.failure?.problem === event.after ? {...facts, failure: undefined} : facts;
    case 'check-failed':
      return request ? facts : {...facts, checkFailure: event.problem};
    case 'number-dropped':
      // An attempt may subscribe the number.
      return request?.is === 'attempt' ? facts : withoutPin(withoutTrouble(facts));
    case 'announced':
      return {...facts, isAnnounced: true};
  }
}

/** One request at a time, and none after the subscription has started. */
function mayRequest({request, started, notBefore, pin}: EnrollmentFacts, {is, of}: EnrollmentRequest, at: number) {
  if (request || started || at < notBefore[is]) return false;
  return is === 'pin' || 'token' in of || (!!pin && expiresInMs(pin, at) > 0);
}

function withRequest(facts: EnrollmentFacts, request: EnrollmentRequest): EnrollmentFacts {
  const requested = {...withoutTrouble(facts), request};
  if (request.is === 'pin') return requested;
  if ('token' in request.of) return {...requested, isTokenTried: true};
  return {...requested, pin: facts.pin && {...facts.pin, isTried: true}};
}

function afterAttempt(
  facts: EnrollmentFacts,
  of: Enrollee | Recognized,
  {problem, at}: {readonly problem: Problem; readonly at: number},
): EnrollmentFacts {
  const {pin} = facts;
  const {code} = problem;
  // After an attempt without a clear answer, it means that this attempt has succeeded.
  if (code === 'already_subscribed' && isUnclear(facts)) return withStart(facts, of, at);
  const after = UNCLEAR.test(code) ? {...facts, unclear: maskOf(of)} : facts;
  if ('token' in of) return NUMBER_REFUSALS.test(code) ? {...after, typing: 'needed'} : after;
  // After a refusal of number or operator, the shopper corrects them in the form.
  if (/^(number|operator)_invalid/.test(code) || refusalOf(after)) return withoutPin(after);
  return {...after, pin: pin && {...pin, isOver: pin.isOver || endsPin(problem)}};
}

/** The number as the page shows it, also if it is given as that. */
const maskOf = (of: {readonly msisdn?: string | undefined} | null | undefined) =>
  of?.msisdn && `${of.msisdn.slice(0, 3)}*****${of.msisdn.slice(8)}`;

/** Whether the number of the view may be subscribed already: an attempt to subscribe it got no clear answer. */
export function isUnclear(facts: EnrollmentFacts): boolean {
  const of = facts.pin?.enrollee ?? ((!facts.typing && valueOf(facts.recognized)) || facts.enrollee);
  return !!facts.unclear && facts.unclear === maskOf(of);
}

function withStart(facts: EnrollmentFacts, of: Enrollee | Recognized, at: number): EnrollmentFacts {
  const startedAt = timeOf(at + (facts.pin?.skewMs ?? 0));
  return {...withoutPin(withoutTrouble(facts)), started: {startedAt, msisdn: maskOf(of)}};
}

export function withPin(facts: EnrollmentFacts, pin: SavedPin): EnrollmentFacts {
  return {...withoutTrouble(facts), isResent: false, pin};
}

function withoutPin(facts: EnrollmentFacts): EnrollmentFacts {
  return {...facts, pin: undefined, enrollee: facts.pin?.enrollee ?? facts.enrollee};
}

/** Without a request, and without what went wrong. */
export function withoutTrouble(facts: EnrollmentFacts): EnrollmentFacts {
  return {...facts, request: undefined, failure: undefined, checkFailure: undefined, isPinMissing: false};
}

/** Whether a request that failed like this can be repeated with another session. */
export function mayReplaceSession({ownsSession}: EnrollmentFacts, {endsSession}: Problem): boolean {
  return ownsSession && endsSession;
}

/** Why nobody can subscribe on this page, or not with this number; undefined if it may still be possible. */
export function refusalOf(facts: EnrollmentFacts): Problem | undefined {
  const {offer, failure} = facts;
  const {problem, of} = failure ?? {};
  if (offer.status === 'failed' && isFinal(offer.problem)) return problem ?? offer.problem;
  return problem && of === 'attempt' && isFinal(problem) && !mayReplaceSession(facts, problem) ? problem : undefined;
}

/** What the refusal of an attempt means, if it is not what its code says. */
export function meaningOf(
  {code, details}: Problem,
  of: Enrollee | Recognized,
): 'number_token_invalid' | 'pin_blocked' | undefined {
  // A request with a number token contains no PIN, so a PIN error means that the token is invalid.
  if ('token' in of) return code.startsWith('pin_') ? 'number_token_invalid' : undefined;
  return code === 'pin_wrong' && details?.attempts_left === 0 ? 'pin_blocked' : undefined;
}

/** Whether the PIN can no longer be used after this problem. */
export function endsPin({code}: Problem): boolean {
  return /pin_(expired|blocked)/.test(code);
}

/** The codes with which an attempt may have succeeded although it seems to have failed. */
const UNCLEAR = /outcome|internal|network|timeout|unreadable|offline/;

/** Refusals of a token after which the shopper types the number. */
export const NUMBER_REFUSALS = /one_click_off|(number|operator|token)_invalid/;

const FINAL: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'not_eligible',
  'already_subscribed',
  'billing_cap_reached',
  'daily_cap_reached',
  'test_mode',
  'landing_not_found',
  'unknown_offer',
]);

/** Whether no PIN can subscribe the number after this problem. */
function isFinal({code, endsSession}: Problem): boolean {
  return endsSession || FINAL.has(code);
}
