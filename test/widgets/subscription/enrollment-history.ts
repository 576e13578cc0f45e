/** What can happen while a subscription starts: the shopper's taps, reloads, lost answers, refusals, and passing time. */

import {Problem, type ProblemCode, type ProblemDetails} from '../../../widgets/core/problem.ts';
import {PENDING, type QueryResult} from '../../../widgets/core/query.ts';
import {actionRefusalOf} from '../../../widgets/locales/subscription-actions.ts';
import {refusalOf} from '../../../widgets/locales/subscription-refusals.ts';
import {
  isUnclear,
  meaningOf,
  next,
  type EnrollmentEvent,
  type EnrollmentFacts,
  type EnrollmentRequest,
} from '../../../widgets/subscription/enrollment-facts.ts';
import {enrollmentView, type EnrollmentView} from '../../../widgets/subscription/enrollment-view.ts';
import {
  nextOneClick,
  oneClickView,
  type OneClickEvent,
  type OneClickView,
} from '../../../widgets/subscription/one-click/one-click-facts.ts';
import {nextAfterPin} from '../../../widgets/subscription/pin-subscribe/after-refusal.ts';
import {type Enrollee, expiresInMs} from '../../../widgets/subscription/saved-pin.ts';
import type {PageErrorCode} from '../../../worker/contract/codes.ts';
import {KNOWN_NUMBER, terms} from '../stub-worker/answers.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export const ENROLLEE: Enrollee = {msisdn: '5321234567', operator: 4};
const OTHER: Enrollee = {msisdn: '5420000089', operator: 1};
/** The number for which each token stands. */
const TOKENS: Readonly<Record<string, string>> = {A: ENROLLEE.msisdn, B: OTHER.msisdn};

const MASKS: Readonly<Record<string, string>> = {A: KNOWN_NUMBER.msisdn, B: '542*****89'};

/** One page, the tab that it is in, and the platform. */
export interface World {
  readonly facts: EnrollmentFacts;
  readonly now: number;
  /** The numbers that are subscribed, and how often each was charged for it. */
  readonly charges: Readonly<Record<string, number>>;
  /** The page’s requests without an answer yet, also those that the shopper has left. */
  readonly sent: readonly EnrollmentRequest[];
  /** The number of the last attempt of this tab that got no clear answer, or the token if only the token names it. */
  readonly unclear: string | undefined;
  /** How often an event has announced the start. */
  readonly announced: number;
}

const offer: QueryResult<never> | EnrollmentFacts['offer'] = {
  status: 'done',
  value: {token: 'session', ...terms({seller: {name: 'Seller'}})},
};

/** A page as it opens, with what the tab has saved. */
export function openPage(saved?: Pick<EnrollmentFacts, 'pin' | 'started' | 'unclear'>, now = 0): EnrollmentFacts {
  const pin = saved?.pin && expiresInMs(saved.pin, now) > 0 ? saved.pin : undefined;
  return {
    ownsSession: true,
    offer,
    recognized: PENDING,
    token: '',
    notBefore: {pin: 0, attempt: 0},
    pin,
    unclear: pin && saved?.unclear,
    started: saved?.started,
  };
}

type Step = (world: World) => World;

const send =
  (event: EnrollmentEvent): Step =>
  (world) => ({...world, facts: next(world.facts, event)});
const sendOneClick =
  (event: OneClickEvent): Step =>
  (world) => {
    const facts = nextOneClick(world.facts, event);
    // Another token is read again.
    return {...world, facts: facts.token === world.facts.token ? facts : {...facts, recognized: PENDING}};
  };
const learn =
  (facts: (world: World) => Partial<EnrollmentFacts>): Step =>
  (world) => ({...world, facts: {...world.facts, ...facts(world)}});
export const formView = ({facts, now}: World): EnrollmentView => enrollmentView(facts, now);
export const clickView = ({facts, now}: World): OneClickView => oneClickView(facts, now);
/** The views that the shopper sees: the form, or one click, which may show the form. */
export function shownViews(world: World): readonly (EnrollmentView | OneClickView)[] {
  if (world.facts.token === '') return [formView(world)];
  const view = clickView(world);
  return view.is === 'typed' ? [view, formView(world)] : [view];
}
/** Something that the shopper can do only in this view of the form. */
const inForm =
  <V extends EnrollmentView['is']>(is: V, step: (view: EnrollmentView & {readonly is: V}) => Step | false): Step =>
  (world) => {
    const view = shownViews(world).at(-1);
    const then = view?.is === is && step(view as EnrollmentView & {readonly is: V});
    return then ? then(world) : world;
  };
const inClick =
  <V extends OneClickView['is']>(is: V, step: (view: OneClickView & {readonly is: V}) => Step | false): Step =>
  (world) => {
    const view = clickView(world);
    const then = view.is === is && step(view as OneClickView & {readonly is: V});
    return then ? then(world) : world;
  };

export const numberOf = ({of}: EnrollmentRequest): string => ('token' in of ? (TOKENS[of.token] ?? '') : of.msisdn);

/** Sends a request, if the page may. The Worker gets every request that the page sends. */
const request =
  (wanted: EnrollmentRequest): Step =>
  (world) => {
    const sent = send({is: 'requested', request: wanted, at: world.now})(world);
    return sent.facts.request === wanted ? {...sent, sent: [...sent.sent, wanted]} : sent;
  };

/** Answers the request for which the page waits. */
const answer =
  (is: EnrollmentRequest['is'], step: (to: EnrollmentRequest, world: World) => Step): Step =>
  (world) => {
    const to = world.facts.request;
    if (to?.is !== is) return world;
    const answered = step(to, world)(world);
    return {...answered, sent: answered.sent.filter((each) => each !== to)};
  };

/** A problem with the texts that the page loads for it. */
export function problemOf(
  to: EnrollmentRequest,
  {facts, now}: World,
  given: ProblemCode,
  {
    retryable = false,
    retryAfterMs = 0,
    details = {},
  }: {retryable?: boolean; retryAfterMs?: number; details?: ProblemDetails} = {},
): Problem {
  if (/offline|network|timeout|unreadable/.test(given)) return new Problem(given, true);
  const bare = new Problem(given, retryable, retryAfterMs, undefined, details);
  const code = ((to.is === 'attempt' && meaningOf(bare, to.of)) || given) as PageErrorCode;
  const action =
    to.is === 'attempt'
      ? isUnclear(facts)
        ? 'retry'
        : 'attempt'
      : facts.pin && expiresInMs(facts.pin, now) > 0
        ? 'resend'
        : 'pin';
  const isTrouble = code === 'temporarily_unavailable' || code === 'internal';
  const general = isTrouble ? undefined : refusalOf(code, retryAfterMs);
  const refusal = (code === given && actionRefusalOf(action, code)) || general;
  return new Problem(code, retryable, retryAfterMs, refusal, code === given ? details : undefined);
}

const fail =
  (is: EnrollmentRequest['is'], code: ProblemCode, more: Parameters<typeof problemOf>[3] = {}): Step =>
  (world) =>
    answer(is, (to) => send({is: 'failed', to, problem: problemOf(to, world, code, more), at: world.now}))(world);

const sendPin = (resendInMs: number): Step =>
  answer('pin', (to, {now}) => {
    const at = (ms: number) => new Date(now + ms).toISOString();
    const sent = {as_of: at(0), resend_at: at(resendInMs), expires_at: at(10 * MINUTE_MS)};
    return send({is: 'pin-sent', to, sent, at: now});
  });

/** The platform subscribes the number of the attempt, and charges it unless it is subscribed already. */
const subscribe: Step = (world) => {
  const to = world.facts.request;
  if (to?.is !== 'attempt') return world;
  const number = numberOf(to);
  return {...world, charges: {...world.charges, [number]: world.charges[number] ?? 1}};
};
const isSubscribed = (to: EnrollmentRequest, {charges}: World) => charges[numberOf(to)] !== undefined;

/** The answer to an attempt is lost, whether or not the platform has subscribed the number. */
const lose =
  (code: ProblemCode): Step =>
  (world) => {
    const to = world.facts.request;
    if (to?.is !== 'attempt') return world;
    return {...fail('attempt', code)(world), unclear: numberOf(to)};
  };
/** A refusal by which the platform says that the number is not subscribed. */
const refuse =
  (code: ProblemCode, more: Parameters<typeof fail>[2] = {}): Step =>
  (world) => {
    const to = world.facts.request;
    if (to?.is !== 'attempt') return world;
    return fail('attempt', isSubscribed(to, world) ? 'already_subscribed' : code, more)(world);
  };

const both =
  (...steps: readonly Step[]): Step =>
  (world) =>
    steps.reduce((result, step) => step(result), world);

const LIMIT = {retryable: true, retryAfterMs: 5 * MINUTE_MS};
const reload: Step = (world) => {
  const facts = openPage(world.facts, world.now);
  // Of a token, the tab saves nothing.
  const isKnown = facts.pin?.enrollee.msisdn === world.unclear;
  return {...world, facts, sent: [], unclear: isKnown ? world.unclear : undefined, announced: 0};
};

/** Everything that can happen. */
export const STEPS: Readonly<Record<string, Step>> = {
  'the shopper requests a PIN': inForm('number', ({canSend}) => canSend && request({is: 'pin', of: ENROLLEE})),
  'the shopper requests a PIN for another number': inForm(
    'number',
    ({canSend}) => canSend && request({is: 'pin', of: OTHER}),
  ),
  'the shopper has a PIN already': inForm('number', ({mayHavePin, busyWith}) =>
    mayHavePin && !busyWith
      ? (world) => ({...world, facts: nextAfterPin(world.facts, {enrollee: ENROLLEE, at: world.now})})
      : false,
  ),
  'the PIN is sent': sendPin(MINUTE_MS),
  'the PIN is sent and can be sent again at once': sendPin(0),
  'the request for a PIN is lost': fail('pin', 'network'),
  'the platform is busy': fail('pin', 'temporarily_unavailable', {retryable: true}),
  'too many PINs were requested': fail('pin', 'rate_limited', LIMIT),
  'the Worker requires the human check': fail('pin', 'human_check_required', {retryable: true}),
  'the human check cannot be shown': send({is: 'check-failed', problem: new Problem('human_check_failed', true)}),
  'the Worker refuses the number': fail('pin', 'number_invalid'),
  'the Worker refuses the operator': fail('pin', 'operator_invalid'),
  'the platform refuses a PIN': fail('pin', 'platform_refused', {retryable: true}),
  'the platform says that the number may not subscribe': fail('pin', 'not_eligible'),
  'the device is offline': fail('pin', 'offline'),
  'the device is online again': (world) => {
    const problem = world.facts.failure?.problem;
    return problem?.code === 'offline' ? send({is: 'online', after: problem})(world) : world;
  },
  'the shopper requests another PIN': (world) => {
    const view = shownViews(world).at(-1);
    if ((view?.is !== 'pin' && view?.is !== 'pin-over') || view.busyWith || view.resendInMs > 0) return world;
    return request({is: 'pin', of: view.pin.enrollee})(world);
  },
  'the shopper changes the number': (world) => {
    const {is} = shownViews(world).at(-1) ?? {};
    return is === 'pin' || is === 'pin-over' ? send({is: 'number-dropped'})(world) : world;
  },
  'the shopper confirms without a PIN': inForm('pin', ({canSend}) => canSend && send({is: 'pin-missing'})),
  'the shopper enters the PIN': inForm(
    'pin',
    ({canSend, pin}) => canSend && request({is: 'attempt', of: pin.enrollee}),
  ),
  'the shopper clicks': inClick('confirm', ({canSend, number}) =>
    canSend ? (world) => request({is: 'attempt', of: {token: world.facts.token, msisdn: number.msisdn}})(world) : false,
  ),
  'the subscription starts': both(
    subscribe,
    answer('attempt', (to, {now}) => send({is: 'subscribed', to, at: now})),
  ),
  'the subscription starts, and the answer is lost': both(subscribe, lose('network')),
  'the subscription starts, and the Worker does not know it': both(subscribe, lose('outcome_unknown')),
  'the subscription starts, and the Worker fails': both(subscribe, lose('internal')),
  'the attempt is lost': lose('timeout'),
  'the device goes offline during the attempt': lose('offline'),
  'the PIN is wrong': fail('attempt', 'pin_wrong', {details: {attempts_left: 2}}),
  'the PIN is wrong for the last time': fail('attempt', 'pin_wrong', {details: {attempts_left: 0}}),
  'the platform says that the PIN has expired': fail('attempt', 'pin_expired'),
  'the platform says that the PIN is blocked': fail('attempt', 'pin_blocked'),
  'the platform refuses the number of the attempt': refuse('number_invalid'),
  'the platform refuses the operator of the attempt': refuse('operator_invalid'),
  'the platform refuses the token': (world) =>
    world.facts.request && 'token' in world.facts.request.of ? fail('attempt', 'number_token_invalid')(world) : world,
  'the number may not subscribe': refuse('not_eligible'),
  'the number has reached its limit': refuse('billing_cap_reached', {retryable: true}),
  'the landing page is in test mode': refuse('test_mode'),
  'the operator does not start the subscription': refuse('subscription_failed'),
  'the platform refuses the attempt': fail('attempt', 'platform_refused', {retryable: true}),
  'too many attempts were made': fail('attempt', 'rate_limited', LIMIT),
  'the platform does not answer the attempt': fail('attempt', 'temporarily_unavailable', {retryable: true}),
  'there is no such product': fail('attempt', 'landing_not_found'),
  'the session ends': fail('attempt', 'session_expired'),
  'the session is the merchant’s': learn(() => ({ownsSession: false})),
  'the number is subscribed elsewhere': (world) =>
    world.charges[ENROLLEE.msisdn] || world.facts.request?.is === 'attempt'
      ? world
      : {...world, charges: {...world.charges, [ENROLLEE.msisdn]: 1}},
  'an answer arrives for a request that the shopper has left': (world) => {
    const [left] = world.sent;
    if (!left || left === world.facts.request) return world;
    const problem = problemOf(left, world, 'platform_refused');
    const refused = send({is: 'failed', to: left, problem, at: world.now})(world);
    const changed = send({is: 'subscribed', to: left, at: world.now})(refused);
    if (changed.facts !== world.facts) throw new Error('The page took the answer to a request that it has left.');
    return {...world, sent: world.sent.slice(1)};
  },
  'the shopper uses another number': inForm('refused', () => send({is: 'number-dropped'})),
  'the shopper types another number after the refusal': inClick('refused', () =>
    sendOneClick({is: 'typed', why: 'needed'}),
  ),
  'the page finds a token': sendOneClick({is: 'token-found', token: 'A'}),
  'the page finds another token': sendOneClick({is: 'token-found', token: 'B'}),
  'the number is recognized': learn(({facts}) =>
    facts.token && facts.recognized === PENDING
      ? {recognized: {status: 'done', value: {...KNOWN_NUMBER, msisdn: MASKS[facts.token] ?? ''}}}
      : {},
  ),
  'the number is not recognized': learn(({facts}) =>
    facts.recognized === PENDING ? {recognized: {status: 'done', value: null}} : {},
  ),
  'the number cannot be read': learn(({facts}) =>
    facts.recognized === PENDING ? {recognized: {status: 'failed', problem: new Problem('network', true)}} : {},
  ),
  'the number is read again': learn(({facts}) => (facts.recognized.status === 'failed' ? {recognized: PENDING} : {})),
  'the shopper types another number': inClick('confirm', ({isUnclear: mayBeCharged, busyWith}) =>
    !mayBeCharged && !busyWith ? sendOneClick({is: 'typed', why: 'chosen'}) : false,
  ),
  'the shopper returns to the recognized number': inClick('typed', ({number, isBusy}) =>
    number && !isBusy ? sendOneClick({is: 'returned', token: 'A'}) : false,
  ),
  'the terms cannot be read': learn(() => ({offer: {status: 'failed', problem: new Problem('network', true)}})),
  'the terms are read': learn(() => ({offer})),
  'there is no such offer': learn(() => ({
    offer: {status: 'failed', problem: new Problem('unknown_offer', false, 0, refusalOf('unknown_offer', 0))},
  })),
  'an element announces the start': (world) => {
    if (!world.facts.started) return world;
    return {...send({is: 'announced'})(world), announced: world.announced + (world.facts.isAnnounced ? 0 : 1)};
  },
  'the page is reloaded': reload,
  'a minute passes': (world) => ({...world, now: world.now + MINUTE_MS}),
  'ten minutes pass': (world) => ({...world, now: world.now + 10 * MINUTE_MS}),
  'a day passes': (world) => ({...world, now: world.now + DAY_MS}),
};

export function after(steps: readonly string[]): World {
  const now = Date.parse('2026-11-21T12:42:00Z');
  const first: World = {facts: openPage(), now, charges: {}, sent: [], unclear: undefined, announced: 0};
  return steps.reduce((world, step) => {
    const then = STEPS[step];
    if (!then) throw new Error(`There is no step “${step}”.`);
    return then(world);
  }, first);
}
