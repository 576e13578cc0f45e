import type {Context} from '../context.ts';
import {tokenKey} from '../keys.ts';
import type {AnswerFields, PlatformRequest} from '../request.ts';
import {PhsRefusal, requireText} from './phs-statuses.ts';

/** /getToken (orders 4.1, 5). */
export async function getToken({parameters}: PlatformRequest, {config, tokens}: Context): Promise<AnswerFields> {
  const merchant = requireText(parameters, 'merchant');
  const key = requireText(parameters, 'key');
  if (merchant !== String(config.merchantId)) throw new PhsRefusal('ERR_004');
  if (key !== (await tokenKey(config))) throw new PhsRefusal('ERR_007', 'key not true');
  return {token: tokens.issue()};
}

/** /getToken/check (orders 4.1). An empty token and an absent token have different statuses. */
export function checkToken({parameters}: PlatformRequest, {config, tokens}: Context): AnswerFields {
  const merchant = requireText(parameters, 'merchant');
  const token = parameters.get('token');
  if (token === '') throw new PhsRefusal('ERR_015');
  if (typeof token !== 'string') throw new PhsRefusal('400');
  if (merchant !== String(config.merchantId)) throw new PhsRefusal('ERR_004');
  if (!tokens.isValid(token)) throw new PhsRefusal('ERR_016');
  return {};
}

/** Checks the headers `merchant` and `token` (orders 5). @throws {PhsRefusal} */
export function authenticate(headers: Headers, {config, tokens}: Context): void {
  const token = headers.get('token') ?? '';
  if (token === '') throw new PhsRefusal('ERR_015');
  if (headers.get('merchant') !== String(config.merchantId)) throw new PhsRefusal('ERR_004');
  if (!tokens.isValid(token)) throw new PhsRefusal('ERR_016');
}
