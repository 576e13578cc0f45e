import type {Context} from '../../context.ts';
import type {Operation} from '../../platform/operation.ts';

/**
 * Whether an operation reaches the platform at most once. What moves money by GET does only where the way out says so.
 * A sandbox's money is play money; a platform at a local address may be a proxy before the true one.
 */
export function sendsOnce({method}: Operation, {config, egress}: Pick<Context, 'config' | 'egress'>): boolean {
  return method !== 'GET' || egress.oneAttempt || !config.micropayment || config.isSandbox;
}
