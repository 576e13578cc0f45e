import {ApiError} from '../../api-error.ts';
import type {Config} from '../../config.ts';
import {isLoopback} from '../../origins.ts';
import type {Egress} from '../../platform/egress.ts';

/**
 * Lets a GET of mobile billing pass that moves money only where it is sent at most once. A platform on this machine is
 * a sandbox, whose money is play money.
 * @throws {ApiError} `egress_unsafe`
 */
export function requireSingleAttempt({micropayment}: Config, {oneAttempt}: Egress): void {
  if (oneAttempt || !micropayment || isLoopback(new URL(micropayment.baseUrl))) return;
  throw new ApiError('egress_unsafe');
}
