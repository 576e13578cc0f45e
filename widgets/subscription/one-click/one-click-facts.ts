/** What happens to the number that the mobile network has recognized, and what the shopper sees of it. */

import type {ShownNumber} from '../../../worker/contract/browser/subscription-answers.ts';
import type {Problem} from '../../core/problem.ts';
import {valueOf} from '../../core/query.ts';
import {isUnclear, next, withoutTrouble, type EnrollmentFacts} from '../enrollment-facts.ts';
import {endView, told, type EndView, type Told} from '../enrollment-view.ts';

export type OneClickEvent =
  /** The page has this number token; it is empty if one click is not allowed. */
  | {readonly is: 'token-found'; readonly token: string}
  /** The shopper types another number. @param why - Only a shopper who has chosen it may return. */
  | {readonly is: 'typed'; readonly why: 'chosen' | 'needed'}
  /** The shopper returns to the recognized number, for which the page now has this token. */
  | {readonly is: 'returned'; readonly token: string};

export function nextOneClick(facts: EnrollmentFacts, event: OneClickEvent): EnrollmentFacts {
  const {request, pin, started, typing} = facts;
  switch (event.is) {
    case 'token-found': {
      const isKept =
        request || isUnclear(facts) || pin || started || typing === 'chosen' || event.token === facts.token;
      return isKept ? facts : {...withoutTrouble(facts), typing: undefined, token: event.token};
    }
    case 'typed':
      return request ? facts : {...next(facts, {is: 'number-dropped'}), typing: event.why};
    case 'returned':
      return request ? facts : {...next(facts, {is: 'number-dropped'}), typing: undefined, token: event.token};
  }
}

/** The shopper reads number, price and terms, and subscribes with one click. */
export interface ConfirmView extends Told {
  readonly is: 'confirm';
  readonly number: ShownNumber;
  /** Whether the shopper has tried to subscribe. */
  readonly isTried: boolean;
}

/** The form for a number, which has a view of its own. */
export interface TypedView {
  readonly is: 'typed';
  /** The recognized number to which the shopper may return. */
  readonly number: ShownNumber | undefined;
  readonly isBusy: boolean;
}

/** What a shopper sees whose number may be recognized: one of these, and nothing beside it. */
export type OneClickView =
  | ConfirmView
  | TypedView
  | EndView
  | {readonly is: 'loading'; readonly problem?: undefined}
  | {readonly is: 'unreadable'; readonly problem: Problem};

/** @param now - Epoch milliseconds of this device. */
export function oneClickView(facts: EnrollmentFacts, now: number): OneClickView {
  const {recognized, typing, request, pin, enrollee, isTokenTried: isTried = false} = facts;
  const number = valueOf(recognized);
  const end = endView(facts);
  // What was typed in the form ends there.
  if (typing || (number === null && (enrollee || !end))) {
    const mayReturn = typing === 'chosen' && !pin && !end;
    return {is: 'typed', number: (mayReturn && number) || undefined, isBusy: !!request};
  }
  if (end) return end;
  if (number) return {is: 'confirm', ...told(facts, now, 'attempt'), number, isTried};
  return recognized.status === 'failed' ? {is: 'unreadable', problem: recognized.problem} : {is: 'loading'};
}
