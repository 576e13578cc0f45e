import type {Context} from '../../context.ts';
import {networkOf} from '../../http/client-ip.ts';
import {ApiError} from '../../http/errors.ts';
import {most} from '../../objects/limits/guard-rules.ts';

const HOUR_MS = 60 * 60_000;

/**
 * Does what a number token is for. An address that shows too many that are none waits; behind one that carriers share,
 * those that are good cost nothing.
 * @throws {ApiError} `one_click_off`, `number_token_invalid`, `rate_limited`, and whatever `use` throws.
 */
export async function withNumberToken<T>(
  token: string,
  request: Request,
  {config, objects}: Context,
  use: (token: string) => Promise<T>,
): Promise<T> {
  if (!config.oneClick) throw new ApiError('one_click_off');
  if (!/^\d{1,20}$/.test(token)) throw new ApiError('number_token_invalid');
  const limit = config.limits.addressTokensPerHour;
  if (limit === null) return use(token);
  const guard = await objects.guard(`number tokens ${networkOf(request)}`);
  const taken = await guard.take([most(limit, HOUR_MS)]);
  if (!taken.allowed) throw new ApiError('rate_limited', taken);
  const giveBack = async () => taken.taking !== null && guard.giveBack(taken.taking);
  try {
    const result = await use(token);
    await giveBack();
    return result;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'number_token_invalid')) await giveBack();
    throw error;
  }
}
