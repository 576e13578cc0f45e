import type {Context} from '../context.ts';
import {Refusal} from './phs-statuses.ts';

/** Asks for the headers `merchant` and `token` (orders 5). */
export function authenticate(headers: Headers, {config, tokens}: Context): void {
  const token = headers.get('token') ?? '';
  if (token === '') throw new Refusal('ERR_015');
  if (headers.get('merchant') !== String(config.merchantId)) throw new Refusal('ERR_004');
  if (!tokens.isValid(token)) throw new Refusal('ERR_016');
}
