/** Results of requests for a subscription, and what the platform's refusals of a number mean. */

import type {PlatformFailure} from '../../platform/failure.ts';
import type {PinAttemptRefusal} from './sent-pins.ts';
import type {SubscriptionName} from './subscription-attempts.ts';

export type SubscribeResult =
  | {
      readonly subscribed: true;
      /** The subscription in mobile billing; null or absent while it is unknown. */
      readonly found?: SubscriptionName | null;
    }
  | PinAttemptRefusal
  | {readonly failure: PlatformFailure};

/** The platform's statuses for a PIN or token that is wrong or was used already. */
export const MAY_BE_USED = new Set(['003', '027', '028']);
export const ALREADY_SUBSCRIBED = '020';
const WRONG_PIN = '028';
/** Statuses that reveal something about the number. */
const NUMBER_STATUSES = new Set(['002', '004', '006', '007', '018', '019', ALREADY_SUBSCRIBED]);

/**
 * Replaces statuses that reveal something about the number by "wrong PIN". This is for guesses: PINs that were entered
 * although no PIN was sent.
 */
export function hideNumberStatus(failure: PlatformFailure): PlatformFailure {
  return failure.outcome === 'refused' && NUMBER_STATUSES.has(failure.status)
    ? {outcome: 'refused', status: WRONG_PIN, message: ''}
    : failure;
}

/** How an attempt to use a PIN ended; null when the PIN was wrong or the outcome is unknown. */
export function attemptResult(result: SubscribeResult): 'used' | 'untried' | null {
  if ('subscribed' in result) return 'used';
  return 'failure' in result && (result.failure.outcome === 'unsent' || result.failure.outcome === 'unconfigured')
    ? 'untried'
    : null;
}
