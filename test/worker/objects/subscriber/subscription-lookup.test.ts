/** Whether a lookup of a started subscription is repeated, by what mobile billing says about each service. */

import {expect, test} from 'vitest';
import type {Context} from '../../../../worker/context.ts';
import {findStartedSubscriptions} from '../../../../worker/objects/subscriber/subscription-lookup.ts';
import {PlatformError, type PlatformFailure} from '../../../../worker/platform/failure.ts';

const EMPTY = null;
const FORBIDDEN = {outcome: 'refused', status: 'API_ERR_1001', message: '', httpStatus: 403} as const;
const TOO_OFTEN = {...FORBIDDEN, httpStatus: 429} as const;
const ORDINARY = {...FORBIDDEN, httpStatus: 400} as const;
const UNKNOWN = {outcome: 'unknown', fault: 'timeout'} as const;

test.for<[what: string, answers: (PlatformFailure | null)[], isComplete: boolean]>([
  ['all services answer', [EMPTY, EMPTY], true],
  ['a service refuses its search', [EMPTY, ORDINARY], true],
  ['the caller may not search one service', [FORBIDDEN, EMPTY], true],
  ['the caller may search no service', [FORBIDDEN, FORBIDDEN], false],
  ['one service is called too often', [EMPTY, TOO_OFTEN], false],
  ['one service does not answer, and another one is forbidden', [UNKNOWN, FORBIDDEN], false],
])('if %s, a lookup that finds nothing is complete: %s, %s', async ([, answers, isComplete]) => {
  const left = [...answers];
  const call = () => {
    const failure = left.shift();
    if (failure) return Promise.reject(new PlatformError('subscriptionSearch', failure));
    return Promise.resolve({subscriptions: {rows: []}});
  };
  const services = new Map(answers.map((_answer, index) => [String(index), `DEMO${index}`]));
  const context = {platform: {call}, config: {billedServices: services}} as unknown as Context;
  const sought = {msisdn: '905321230001', operator: 1, price: null, since: 0, until: 0};
  const found = await findStartedSubscriptions(sought as never, context);
  expect(found).toEqual({matching: [], isComplete});
});
