import type {Context} from '../context.ts';
import {tokenKey} from '../keys.ts';
import type {Answer, Visit} from '../request.ts';
import {Refusal, requireText} from './phs-statuses.ts';

/** /getToken (orders 4.1, 5). */
export async function getToken({parameters}: Visit, {config, tokens}: Context): Promise<Answer> {
  const merchant = requireText(parameters, 'merchant');
  const key = requireText(parameters, 'key');
  if (merchant !== String(config.merchantId)) throw new Refusal('ERR_004');
  if (key !== (await tokenKey(config))) throw new Refusal('ERR_007', 'key not true');
  return {token: tokens.issue()};
}

/** /getToken/check (orders 4.1). An empty token is told from an absent one. */
export function checkToken({parameters}: Visit, {config, tokens}: Context): Answer {
  const merchant = requireText(parameters, 'merchant');
  const token = parameters.get('token');
  if (token === '') throw new Refusal('ERR_015');
  if (typeof token !== 'string') throw new Refusal('400');
  if (merchant !== String(config.merchantId)) throw new Refusal('ERR_004');
  if (!tokens.isValid(token)) throw new Refusal('ERR_016');
  return {};
}

/** Asks for the headers `merchant` and `token` (orders 5). */
export function authenticate(headers: Headers, {config, tokens}: Context): void {
  const token = headers.get('token') ?? '';
  if (token === '') throw new Refusal('ERR_015');
  if (headers.get('merchant') !== String(config.merchantId)) throw new Refusal('ERR_004');
  if (!tokens.isValid(token)) throw new Refusal('ERR_016');
}
