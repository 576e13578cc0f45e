import type {Configuration} from '../configuration.ts';
import type {Context} from '../context.ts';
import {md5} from '../md5.ts';
import type {Visit} from '../visit.ts';
import type {Answer} from './operation.ts';
import {requireText} from './required.ts';
import {Refusal} from './statuses.ts';

/** /getToken (orders 4.1, 5). */
export async function getToken({parameters}: Visit, {configuration, tokens}: Context): Promise<Answer> {
  const merchant = requireText(parameters, 'merchant');
  const key = requireText(parameters, 'key');
  if (merchant !== String(configuration.merchantId)) throw new Refusal('ERR_004');
  if (key !== (await tokenKey(configuration))) throw new Refusal('ERR_007', 'key not true');
  return {token: tokens.issue()};
}

/** /getToken/check (orders 4.1). An empty token is told from an absent one. */
export function checkToken({parameters}: Visit, {configuration, tokens}: Context): Answer {
  const merchant = requireText(parameters, 'merchant');
  const token = parameters.get('token');
  if (token === '') throw new Refusal('ERR_015');
  if (typeof token !== 'string') throw new Refusal('400');
  if (merchant !== String(configuration.merchantId)) throw new Refusal('ERR_004');
  if (!tokens.isValid(token)) throw new Refusal('ERR_016');
  return {};
}

/** Merchant id, server address and merchant key (orders 5). */
export function tokenKey({
  merchantId,
  merchantIp,
  merchantKey,
}: Pick<Configuration, 'merchantId' | 'merchantIp' | 'merchantKey'>): Promise<string> {
  return md5(merchantId, merchantIp, merchantKey);
}
