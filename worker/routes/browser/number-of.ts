import {ApiError} from '../../http/errors.ts';
import {parseMsisdn} from '../../lib/msisdn.ts';
import type {SubscriptionSession} from '../../session.ts';

/**
 * The number a shopper typed and the operator they chose.
 * @throws {ApiError} `number_invalid` for what is no Turkish mobile number, `operator_invalid` for one that the session does not offer.
 */
export function numberOf(
  typed: {readonly msisdn: string; readonly operator: number},
  {operators}: SubscriptionSession,
): {msisdn: string; operator: number} {
  const msisdn = parseMsisdn(typed.msisdn);
  if (msisdn === null)
    throw new ApiError('number_invalid', {fields: [{path: 'msisdn', message: 'A Turkish mobile number is expected.'}]});
  if (!operators.some(({id}) => id === typed.operator))
    throw new ApiError('operator_invalid', {
      fields: [{path: 'operator', message: 'One of the session’s operators is expected.'}],
    });
  return {msisdn, operator: typed.operator};
}
