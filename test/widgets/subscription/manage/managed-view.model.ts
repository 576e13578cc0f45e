/** What a subscriber sees who cancels a subscription: random histories with lost answers, and the rules that they keep. */

import {describe, expect, test} from 'vitest';
import {Problem} from '../../../../widgets/core/problem.ts';
import {PENDING} from '../../../../widgets/core/query.ts';
import {actionRefusalOf} from '../../../../widgets/locales/subscription-actions.ts';
import {refusalOf} from '../../../../widgets/locales/subscription-refusals.ts';
import {
  managedView,
  nextManaged,
  type ManagedEvent,
  type ManagedFacts,
  type ManagedView,
} from '../../../../widgets/subscription/manage/managed-facts.ts';
import type {PageErrorCode} from '../../../../worker/contract/codes.ts';
import {subscription} from '../../stub-worker/answers.ts';
import {testHistories} from '../../support/histories.ts';

const NOW = Date.parse('2026-11-21T12:42:00Z');

interface World {
  readonly facts: ManagedFacts;
  /** The state at the platform. */
  readonly state: 'active' | 'retry' | 'suspend' | 'rejected' | 'unknown' | 'cancelled';
  /** Whether a cancellation waits for its answer. */
  readonly isSent: boolean;
}

type Step = (world: World) => World;

const send =
  (event: ManagedEvent): Step =>
  (world) => ({...world, facts: nextManaged(world.facts, event)});
const read: Step = (world) => {
  const shown = subscription({state: world.state, renews_at: '2026-12-21T12:42:00Z'});
  return {...world, facts: {...world.facts, shown: {status: 'done', value: {subscription: shown}}}};
};
const unread =
  (problem: Problem): Step =>
  (world) => ({...world, facts: {...world.facts, shown: {status: 'failed', problem}}});
const problemOf = (code: PageErrorCode) =>
  new Problem(code, false, 0, actionRefusalOf('cancel', code) ?? refusalOf(code, 0));
/** The answer to the cancellation. After a failure, the page reads the subscription again. */
const answer =
  (event: (world: World) => ManagedEvent): Step =>
  (world) => {
    if (!world.isSent) return world;
    const sent = event(world);
    const after = {...send(sent)(world), isSent: false};
    return sent.is === 'failed' ? {...after, facts: {...after.facts, shown: PENDING}} : after;
  };
const viewOf = ({facts}: World) => managedView(facts, NOW);
const asks =
  (question: 'possible' | 'asked', step: Step): Step =>
  (world) => {
    const view = viewOf(world);
    return view.is === 'shown' && view.question === question ? step(world) : world;
  };
const cancelled: Step = (world) => (world.isSent ? {...world, state: 'cancelled'} : world);

const STEPS: Readonly<Record<string, Step>> = {
  'the subscription is read': read,
  'the subscription cannot be read': unread(new Problem('network', true)),
  'the session has expired': unread(problemOf('session_expired')),
  'a payment fails': (world) => (world.state === 'active' ? {...world, state: 'retry'} : world),
  'the subscription is paused': (world) => (world.state === 'retry' ? {...world, state: 'suspend'} : world),
  'the subscriber wants to cancel': asks('possible', send({is: 'asked'})),
  'the subscriber keeps the subscription': send({is: 'kept'}),
  'the subscriber cancels': asks('asked', (world) => ({...send({is: 'confirmed'})(world), isSent: true})),
  'the subscriber presses the button again': (world) => {
    if (!world.isSent) return world;
    if (nextManaged(world.facts, {is: 'confirmed'}) !== world.facts) throw new Error('The page cancels twice at once.');
    return world;
  },
  'the subscription is cancelled': (world) =>
    answer(() => ({is: 'cancelled', subscription: subscription({state: 'cancelled'})}))(cancelled(world)),
  'the subscription is cancelled, and the answer is lost': (world) =>
    answer(() => ({is: 'failed', problem: problemOf('outcome_unknown')}))(cancelled(world)),
  'the outcome is unknown': answer(() => ({is: 'failed', problem: problemOf('internal')})),
  'the platform refuses': answer(() => ({is: 'failed', problem: problemOf('platform_refused')})),
  'the subscription is cancelled elsewhere': (world) => ({...world, state: 'cancelled'}),
};

const RULES: Readonly<Record<string, (view: ManagedView, world: World) => boolean>> = {
  'lets the subscriber cancel while a cancellation waits for its answer': (view, {isSent}) =>
    isSent && view.is === 'shown' && view.question !== 'answered',
  'says that the subscription is cancelled, and it is not': (view, {state}) =>
    view.is === 'cancelled' && state !== 'cancelled',
  'names the next charge of a subscription that may be cancelled': (view) =>
    view.is === 'shown' && view.isDue && view.isUnclear,
  'asks whether to cancel below the news that it failed': (view) =>
    view.is === 'shown' && view.question === 'answered' && view.problem !== undefined,
  'says of an earlier cancellation that it is news': (view, {facts}) =>
    view.is === 'cancelled' && view.isNews && !facts.isTried,
  'forgets the cancellation': (view, {facts}) => facts.cancelled !== undefined && view.is !== 'cancelled',
};

describe('the view of a subscription that its subscriber cancels', () => {
  test('says whether it is cancelled after an answer without an outcome, once it has been read again', () => {
    const steps = ['the subscription is read', 'the subscriber wants to cancel', 'the subscriber cancels'];
    const play = (...more: readonly string[]) =>
      viewOf(
        [...steps, ...more].reduce<World>((world, step) => STEPS[step]?.(world) ?? world, {
          facts: {shown: PENDING},
          state: 'active',
          isSent: false,
        }),
      );
    expect(play('the outcome is unknown').is).toBe('loading');
    expect(play('the outcome is unknown', 'the subscription is read')).toMatchObject({is: 'shown', isUnclear: true});
    expect(play('the subscription is cancelled, and the answer is lost', 'the subscription is read')).toMatchObject({
      is: 'cancelled',
      isNews: true,
    });
  });

  testHistories<World>({
    steps: STEPS,
    beginnings: {'a page that loads': () => ({facts: {shown: PENDING}, state: 'active', isSent: false})},
    maxSteps: 30,
    brokenRules: (world) => {
      const view = viewOf(world);
      return Object.entries(RULES).flatMap(([rule, breaks]) =>
        breaks(view, world) ? `the view ${view.is} ${rule}` : [],
      );
    },
    shown: (world) => [viewOf(world).is],
  });
});
