/**
 * What a shopper who subscribes sees after anything that can happen: the table of views, and random histories. After each
 * step of a history, the views of form and one click must agree with what the page knows and with what is true.
 */

import {describe, expect, test} from 'vitest';
import {actionOf, assuranceText} from '../../../widgets/subscription/end-cards.ts';
import {isUnclear, next, type EnrollmentRequest} from '../../../widgets/subscription/enrollment-facts.ts';
import type {EnrollmentView} from '../../../widgets/subscription/enrollment-view.ts';
import {nextOneClick, type OneClickView} from '../../../widgets/subscription/one-click/one-click-facts.ts';
import {testHistories} from '../support/histories.ts';
import {after, clickView, ENROLLEE, formView, numberOf, shownViews, STEPS, type World} from './enrollment-history.ts';

type View = EnrollmentView | OneClickView;

const ASKED = ['the shopper requests a PIN', 'the PIN is sent'];
const TRIED = [...ASKED, 'the shopper enters the PIN'];
const RECOGNIZED = ['the page finds a token', 'the number is recognized'];
const CLICKED = [...RECOGNIZED, 'the shopper clicks'];

/** The one step that the view offers first. */
function primaryOf(view: View): string {
  switch (view.is) {
    case 'number':
      return 'request a PIN';
    case 'pin':
    case 'confirm':
      return 'subscribe';
    case 'pin-over':
      return 'request another PIN';
    case 'refused':
      return actionOf(view.problem);
    case 'unreadable':
      return 'retry';
    case 'typed':
    case 'started':
    case 'loading':
      return 'none';
  }
}

/** All sentences of a view about what went wrong, and about the money, in English. */
function wordsOf(view: View): string {
  const shown = [
    'notice' in view ? view.notice : undefined,
    'field' in view && view.field ? view.problem : undefined,
    view.is === 'refused' ? view.problem : undefined,
  ].filter((problem) => problem !== undefined);
  return shown
    .map(({refusal}) => {
      const {title = 'Trouble', text = ''} = refusal?.messages.en ?? {};
      const isCertain = view.is === 'pin' || view.is === 'pin-over' || view.is === 'confirm' || view.is === 'refused';
      return `${title}. ${text} ${isCertain && !refusal?.isComplete ? assuranceText(view.isUnclear, 'en') : ''}`.trim();
    })
    .join(' ');
}

interface Row {
  readonly after: readonly string[];
  readonly says: string;
  readonly shows: string;
}

/** For each view, at least one history that leads to it. A view that is missing here is a type error. */
const FORM_VIEWS: {readonly [V in EnrollmentView['is']]: readonly [Row, ...Row[]]} = {
  number: [
    {after: [], says: '', shows: 'request a PIN'},
    {after: ['the shopper requests a PIN'], says: '', shows: 'request a PIN, sending'},
    {
      after: ['the shopper requests a PIN', 'too many PINs were requested'],
      says: '',
      shows: 'request a PIN, in 300 s',
    },
    {
      after: [...TRIED, 'the platform refuses the number of the attempt'],
      says: 'We can’t use this number. Check it, or enter another Turkish mobile number.',
      shows: 'request a PIN',
    },
    {after: [...ASKED, 'ten minutes pass', 'the page is reloaded'], says: '', shows: 'request a PIN'},
  ],
  pin: [
    {after: ASKED, says: '', shows: 'subscribe'},
    {after: TRIED, says: '', shows: 'subscribe, sending'},
    {after: [...TRIED, 'the page is reloaded'], says: '', shows: 'subscribe'},
    {after: [...TRIED, 'ten minutes pass'], says: '', shows: 'subscribe, sending'},
    {
      after: [...TRIED, 'the PIN is wrong'],
      says: 'That code isn’t right. Enter the code from the latest text. You weren’t charged this time.',
      shows: 'subscribe',
    },
    {
      after: [...TRIED, 'the attempt is lost', 'the shopper enters the PIN', 'the PIN is wrong'],
      says: 'That code isn’t right. Enter the code from the latest text. The same number won’t be charged twice.',
      shows: 'subscribe',
    },
    {
      after: [
        ...TRIED,
        'the attempt is lost',
        'the page is reloaded',
        'the shopper enters the PIN',
        'the PIN is wrong',
      ],
      says: 'That code isn’t right. Enter the code from the latest text. The same number won’t be charged twice.',
      shows: 'subscribe',
    },
    {
      after: [...TRIED, 'the attempt is lost', 'the shopper changes the number', ...TRIED, 'the PIN is wrong'],
      says: 'That code isn’t right. Enter the code from the latest text. The same number won’t be charged twice.',
      shows: 'subscribe',
    },
    {
      after: [
        ...TRIED,
        'the attempt is lost',
        'a minute passes',
        'the shopper requests another PIN',
        'the PIN is sent',
        'the page is reloaded',
        'the shopper enters the PIN',
        'the operator does not start the subscription',
      ],
      says: 'We couldn’t start your subscription. Your operator didn’t approve it. Check your balance and try again. The same number won’t be charged twice.',
      shows: 'subscribe',
    },
    {
      after: [...TRIED, 'too many attempts were made'],
      says: 'Too many attempts. You weren’t subscribed or charged this time.',
      shows: 'subscribe, in 300 s',
    },
  ],
  'pin-over': [
    {after: [...ASKED, 'ten minutes pass'], says: '', shows: 'request another PIN'},
    {
      after: [...TRIED, 'the PIN is wrong for the last time'],
      says: 'Too many wrong codes. This code no longer works. Request a new one. You weren’t charged this time.',
      shows: 'request another PIN, in 60 s',
    },
  ],
  refused: [
    {
      after: [...TRIED, 'the number may not subscribe'],
      says: 'This number can’t subscribe. Mobile payments may be turned off for it. Ask your operator or use another number. You weren’t charged this time.',
      shows: 'other-number',
    },
    {
      after: ['the number is subscribed elsewhere', ...TRIED, 'the number may not subscribe'],
      says: 'You’re already subscribed. This number already has the subscription. You won’t be charged twice.',
      shows: 'manage',
    },
    {
      after: ['there is no such offer'],
      says: 'This subscription isn’t available right now. Reload the page. If that doesn’t help, ask the seller. You weren’t charged this time.',
      shows: 'reload',
    },
    {
      after: [...TRIED, 'there is no such product'],
      says: 'This subscription isn’t available right now. It hasn’t started, and you haven’t been charged.',
      shows: 'ask-seller',
    },
    {
      after: ['the session is the merchant’s', ...TRIED, 'the session ends'],
      says: 'This page has expired. Reload it to start again. You weren’t charged this time.',
      shows: 'reload',
    },
  ],
  started: [
    {after: [...TRIED, 'the subscription starts'], says: '', shows: 'none'},
    {after: [...TRIED, 'the subscription starts', 'the page is reloaded'], says: '', shows: 'none'},
    {
      after: [
        ...TRIED,
        'the subscription starts, and the answer is lost',
        'the shopper enters the PIN',
        'the number may not subscribe',
      ],
      says: '',
      shows: 'none',
    },
    {
      after: [
        ...TRIED,
        'the subscription starts, and the answer is lost',
        'the page is reloaded',
        'the shopper enters the PIN',
        'the number may not subscribe',
      ],
      says: '',
      shows: 'none',
    },
  ],
};

const CLICK_VIEWS: {readonly [V in OneClickView['is']]: readonly [Row, ...Row[]]} = {
  loading: [{after: ['the page finds a token'], says: '', shows: 'none'}],
  unreadable: [{after: ['the page finds a token', 'the number cannot be read'], says: '', shows: 'retry'}],
  confirm: [
    {after: RECOGNIZED, says: '', shows: 'subscribe'},
    {after: CLICKED, says: '', shows: 'subscribe, sending'},
    {
      after: [...CLICKED, 'the subscription starts, and the Worker does not know it'],
      says: 'We don’t know yet whether this went through. If you got a text saying your subscription has started, you’re all set. If not, try again in a moment. The same number won’t be charged twice.',
      shows: 'subscribe',
    },
    {
      after: [
        ...CLICKED,
        'the attempt is lost',
        'the shopper clicks',
        'the platform refuses the token',
        'the page finds another token',
        ...CLICKED,
        'the operator does not start the subscription',
      ],
      says: 'We couldn’t start your subscription. Your operator didn’t approve it. Check your balance and try again. The same number won’t be charged twice.',
      shows: 'subscribe',
    },
    {
      after: [...RECOGNIZED, 'the shopper types another number', 'the shopper returns to the recognized number'],
      says: '',
      shows: 'subscribe',
    },
  ],
  typed: [
    {after: ['the number is not recognized'], says: '', shows: 'none'},
    {after: [...RECOGNIZED, 'the shopper types another number'], says: '', shows: 'none'},
    {after: [...CLICKED, 'the PIN is wrong'], says: '', shows: 'none'},
  ],
  refused: [
    {
      after: [...CLICKED, 'the number has reached its limit'],
      says: 'This number has reached its spending limit. Try again later, or use another number. You weren’t charged this time.',
      shows: 'other-number',
    },
  ],
  started: [
    {after: [...CLICKED, 'the subscription starts'], says: '', shows: 'none'},
    {
      after: [
        ...CLICKED,
        'the attempt is lost',
        'the number is subscribed elsewhere',
        'the shopper clicks',
        'the number may not subscribe',
      ],
      says: '',
      shows: 'none',
    },
  ],
};

const shownOf = (view: View) => {
  if (!('busyWith' in view)) return primaryOf(view);
  const waitMs = view.is === 'pin-over' ? view.resendInMs : view.waitMs;
  return `${primaryOf(view)}${view.busyWith ? ', sending' : waitMs > 0 ? `, in ${waitMs / 1000} s` : ''}`;
};

/** The number that a view is about. */
const numberIn = (view: View, {facts}: World) =>
  'pin' in view
    ? view.pin.enrollee.msisdn
    : view.is === 'confirm'
      ? numberOf({is: 'attempt', of: {token: facts.token, msisdn: ''}})
      : undefined;

/** What the shopper can do in a view: send something, wait for an answer or a time, or go elsewhere. */
function isDeadEnd(view: View, {facts, now}: World): boolean {
  switch (view.is) {
    case 'started':
    case 'typed':
    case 'loading':
    case 'unreadable':
      return false;
    case 'refused': {
      if (actionOf(view.problem) !== 'other-number') return false;
      const dropped = next(facts, {is: 'number-dropped'});
      const typed = nextOneClick(facts, {is: 'typed', why: 'needed'});
      return [dropped, typed].some(
        (each) => formView({facts: each, now} as World).is !== 'number' && each.failure !== undefined,
      );
    }
    default:
      return !view.canSend && !view.busyWith && view.waitMs <= 0 && !(view.is === 'pin-over' && view.resendInMs > 0);
  }
}

const ATTEMPT: EnrollmentRequest = {is: 'attempt', of: ENROLLEE};

/** The rules, by what they forbid. Each returns whether the view breaks the rule. */
const RULES: Readonly<Record<string, (view: View, words: string, world: World) => boolean>> = {
  'asks for a charge while another attempt waits for its answer, or after the start': (view, _, {facts, now}) =>
    (!!facts.request || !!facts.started) &&
    (next(facts, {is: 'requested', request: ATTEMPT, at: now}) !== facts || ('canSend' in view && view.canSend)),
  'forgets an attempt that may charge the number': (_view, _, {facts, sent}) =>
    sent.some((request) => request.is === 'attempt' && request !== facts.request),
  'lets the shopper send while it says that the shopper must wait': (view) =>
    'canSend' in view && view.canSend && (view.waitMs > 0 || (view.is === 'pin-over' && view.resendInMs > 0)),
  'says that the subscription has started, and it has not': (view, _, {charges}) =>
    view.is === 'started' && Object.keys(charges).length === 0,
  'says that nothing was charged although an attempt got no clear answer': (view, words, world) =>
    world.unclear !== undefined &&
    world.unclear === numberIn(view, world) &&
    /weren’t .*charged|haven’t been charged/.test(words),
  'says that it is unknown and that it is certain': (_, words) =>
    /don’t know yet/.test(words) && /weren’t .*charged|haven’t been charged/.test(words),
  'says that the number is already subscribed after its own attempt without an answer': (view, _, world) =>
    view.is === 'refused' && view.problem.code === 'already_subscribed' && isUnclear(world.facts),
  'says one problem twice': (view) => 'field' in view && view.field !== undefined && view.notice === view.problem,
  'hides why the request failed': (view, _, {facts, now}) => {
    if (!('notice' in view) || !view.problem || view.notice || view.field) return false;
    // An expired PIN says more than that it was wrong.
    if (view.is === 'pin-over' && view.problem.code === 'pin_wrong') return false;
    // A limit of attempts is not about the form, and one of PINs is said by the countdown of the button.
    const isElsewhere = view.is === 'pin-over' || (view.is === 'number' && facts.failure?.of === 'attempt');
    const hasWaited = now >= facts.notBefore[facts.failure?.of ?? 'pin'];
    return view.problem.code !== 'rate_limited' || !(isElsewhere || hasWaited || view.waitMs > 0);
  },
  'says of a limit that is over that the shopper must wait': (view, _, {facts, now}) =>
    'notice' in view && view.notice?.code === 'rate_limited' && now >= facts.notBefore[facts.failure?.of ?? 'pin'],
  'asks for a code that no longer works': (view, words) =>
    view.is === 'pin-over' && /Enter the code|can still use the code/.test(words),
  'counts down a PIN that is over': (view, _, {facts}) =>
    view.is === 'pin' && view.expiresInMs <= 0 && facts.request?.is !== 'attempt',
  'offers another number while an attempt with the recognized number may have charged it': (view, _, world) =>
    view.is === 'typed' && world.facts.typing === 'chosen' && isUnclear(world.facts) && !world.facts.pin,
  'asks to subscribe another number than the one that an attempt may have subscribed': (view, _, world) =>
    view.is === 'confirm' && view.isUnclear && world.unclear !== numberIn(view, world),
  'announces one start twice': (_view, _, {announced}) => announced > 1,
  'leads nowhere': (view, _, world) => isDeadEnd(view, world),
};

function brokenRules(world: World): readonly string[] {
  return shownViews(world).flatMap((view) =>
    Object.entries(RULES)
      .filter(([, breaks]) => breaks(view, wordsOf(view), world))
      .map(([rule]) => `the view ${view.is} ${rule}`),
  );
}

/** Steps that would otherwise end most histories soon. */
const isRare = (step: string) =>
  /may not|reached its|test mode|no such|session|already|elsewhere|reloaded|day passes|subscription starts$/.test(step);

const rows = (views: Readonly<Record<string, readonly Row[]>>) =>
  Object.entries(views).flatMap(([is, histories]) => histories.map((row) => ({is, ...row})));

describe('the view of a subscription that starts', () => {
  test.each(rows(FORM_VIEWS))('in the form is $is after: $after', ({is, after: steps, says, shows}) => {
    const view = formView(after(steps));
    expect({is: view.is, says: wordsOf(view), shows: shownOf(view)}).toEqual({is, says, shows});
  });
  test.each(rows(CLICK_VIEWS))('with one click is $is after: $after', ({is, after: steps, says, shows}) => {
    const view = clickView(after(steps));
    expect({is: view.is, says: wordsOf(view), shows: shownOf(view)}).toEqual({is, says, shows});
  });

  testHistories<World>({
    steps: STEPS,
    isRare,
    beginnings: {
      'a new page': () => after([]),
      'a PIN is asked for': () => after(ASKED),
      'a PIN is tried': () => after(TRIED),
      'a number is recognized': () => after(RECOGNIZED),
      'a click': () => after(CLICKED),
    },
    maxSteps: 40,
    brokenRules,
    shown: (world) => shownViews(world).map(({is}) => is),
  });
});
