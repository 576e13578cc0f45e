import {NumberRequest} from '../../contract/browser/requests.ts';
import type {KnownNumber} from '../../contract/browser/subscription-answers.ts';
import {ApiError} from '../../http/errors.ts';
import {json, readJson} from '../../http/json.ts';
import {platformTrouble} from '../../http/platform-trouble.ts';
import {maskMsisdn, parseMsisdn} from '../../lib/msisdn.ts';
import {failureOf} from '../../platform/failure.ts';
import {limitFlood} from '../limit-flood.ts';
import type {RouteContext} from '../route.ts';
import {sessionOf} from './auth.ts';
import {withNumberToken} from './number-token.ts';

/** POST /v1/numbers: whose number a token stands for, as far as its owner knows it again. */
export async function showNumber(request: Request, context: RouteContext): Promise<Response> {
  await sessionOf(request, context, {kind: 'subscription'});
  const {number_token} = await readJson(request, NumberRequest);
  await limitFlood('numbers', request, context);
  return json<KnownNumber>(
    await withNumberToken(number_token, request, context, (token) => readNumber(token, context)),
  );
}

async function readNumber(token: string, {platform}: RouteContext): Promise<KnownNumber> {
  try {
    const known = await platform.call('numberGet', {token});
    const msisdn = maskMsisdn(parseMsisdn(known.msisdn) ?? known.msisdn);
    // A number we cannot read is one the shopper could not know again.
    if (msisdn === null) throw new ApiError('number_token_invalid');
    return {msisdn, operator: /^[1-7]$/.test(known.operator ?? '') ? Number(known.operator) : null};
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw await platformTrouble(failureOf(error), 'numberGet');
  }
}
