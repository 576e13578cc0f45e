import type {Context} from '../context.ts';
import {isLoopback} from '../origins.ts';
import type {Operation} from '../platform/operation.ts';

/**
 * Whether an operation reaches the platform at most once. What moves money by GET does only where the way out says so.
 * A platform on this machine is a sandbox, whose money is play money.
 */
export function sendsOnce({method}: Operation, {config: {micropayment}, egress}: Pick<Context, 'config' | 'egress'>): boolean {
  return method !== 'GET' || egress.oneAttempt || !micropayment || isLoopback(new URL(micropayment.baseUrl));
}
