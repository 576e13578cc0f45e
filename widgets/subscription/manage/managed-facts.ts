/**
 * What a page knows of a subscription that its subscriber views and cancels, every event that changes it, and what the
 * subscriber sees of it.
 */

import type {ShownSubscription, Subscription} from '../../../worker/contract/browser/subscription-answers.ts';
import type {Problem} from '../../core/problem.ts';
import {type QueryResult, valueOf} from '../../core/query.ts';
import type {RefusedView} from '../enrollment-view.ts';
import {isFuture} from '../next-charge.ts';

export interface ManagedFacts {
  /** The subscription as the platform describes it, and its seller. */
  readonly shown: QueryResult<ShownSubscription>;
  /** Whether the page asks whether to cancel, or cancels. */
  readonly question?: 'asked' | 'answered' | undefined;
  /** Whether the subscriber has tried to cancel on this page. */
  readonly isTried?: boolean;
  /** The answer to the cancellation. */
  readonly cancelled?: Subscription;
  /** Why the cancellation failed. */
  readonly problem?: Problem | undefined;
}

export type ManagedEvent =
  /** The subscriber wants to cancel, and is asked whether to do it. */
  | {readonly is: 'asked'}
  /** The subscriber keeps the subscription. */
  | {readonly is: 'kept'}
  /** The subscriber cancels the subscription. */
  | {readonly is: 'confirmed'}
  | {readonly is: 'cancelled'; readonly subscription: Subscription}
  /** The outcome may be unknown. */
  | {readonly is: 'failed'; readonly problem: Problem};

export function nextManaged(facts: ManagedFacts, event: ManagedEvent): ManagedFacts {
  const isAnswered = facts.question === 'answered';
  switch (event.is) {
    case 'asked':
      return isAnswered ? facts : {...facts, question: 'asked'};
    case 'kept':
      return isAnswered ? facts : {...facts, question: undefined};
    case 'confirmed':
      return facts.question === 'asked' ? {...facts, question: 'answered', isTried: true, problem: undefined} : facts;
    case 'cancelled':
      return {...facts, question: undefined, cancelled: event.subscription};
    case 'failed':
      return {...facts, question: undefined, problem: event.problem};
  }
}

/** The subscription, its state, and whether it can be cancelled. */
export interface ShownView {
  readonly is: 'shown';
  readonly shown: ShownSubscription;
  /** Why the cancellation failed. */
  readonly problem: Problem | undefined;
  /** Whether the subscription may be cancelled already. */
  readonly isUnclear: boolean;
  /** Whether the next charge is due. */
  readonly isDue: boolean;
  readonly question: 'impossible' | 'possible' | 'asked' | 'answered';
  /** Whether its state or a problem sends the subscriber to the seller. */
  readonly asksSeller: boolean;
}

export type ManagedView =
  | ShownView
  | {readonly is: 'loading'; readonly problem?: undefined}
  | {readonly is: 'unreadable'; readonly problem: Problem}
  | RefusedView
  | {
      readonly is: 'cancelled';
      /** In the answer to a cancellation, some fields may be missing. */
      readonly cancelled: Subscription;
      /** What the page knew before the cancellation. */
      readonly shown: Partial<ShownSubscription>;
      /** Whether it was cancelled on this page. */
      readonly isNews: boolean;
    };

/** @param now - Epoch milliseconds of this device. */
export function managedView(facts: ManagedFacts, now: number): ManagedView {
  const {problem, question = 'possible', isTried = false} = facts;
  const shown = valueOf(facts.shown);
  const read = shown?.subscription;
  // After an unclear answer, the subscription that was read again says whether it is cancelled.
  const cancelled = facts.cancelled ?? (read?.state === 'cancelled' ? read : undefined);
  if (cancelled) return {is: 'cancelled', cancelled, shown: shown ?? {}, isNews: isTried};
  if (facts.shown.status === 'failed') return unread(facts.shown.problem);
  if (!shown || !read) return {is: 'loading'};
  const isUnclear = problem?.refusal?.tone === 'warn';
  const isRunning = /active|retry/.test(read.state);
  const isDue = !isUnclear && isRunning && isFuture(read.renews_at, now);
  const asksSeller = !isRunning || !!problem?.refusal?.asksSeller;
  // In the state `unknown`, cancelling may still be possible.
  const isOver = read.state === 'rejected';
  return {is: 'shown', shown, problem, isUnclear, isDue, asksSeller, question: isOver ? 'impossible' : question};
}

function unread(problem: Problem): ManagedView {
  const {retryable, refusal} = problem;
  const isFinal = !retryable && (refusal?.nextStep === 'reload' || refusal?.nextStep === 'none');
  return isFinal ? {is: 'refused', problem, isUnclear: false} : {is: 'unreadable', problem};
}
