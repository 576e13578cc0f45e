/** Sends generated requests, and tests that the Worker gives only documented answers and has no internal error. */

import * as fc from 'fast-check';
import {expect, inject, test} from 'vitest';
import type {MerchantEndpoint} from '../../../../worker/contract/endpoint.ts';
import {type EndpointName, endpoints} from '../../../../worker/contract/merchant/endpoints.ts';
import {control} from '../../support/sandbox.ts';
import {validInputs, invalidInputs} from './support/generated-inputs.ts';
import {ask, call, newKey} from './support/merchant-server.ts';
import {expectDocumented} from './support/openapi.ts';

const CASES = inject('generatedCases');
const names = (Object.keys(endpoints) as EndpointName[]).filter((name) => name !== 'examine');
const row = (name: EndpointName): MerchantEndpoint => endpoints[name];

type Case =
  | {readonly name: EndpointName; readonly input: Record<string, unknown>}
  | {readonly name: EndpointName; readonly body: string};

const validCases = fc
  .constantFrom(...names)
  .chain((name) =>
    validInputs(row(name).input).map((input) => ({name, input: withKnownNames(input as Record<string, unknown>)})),
  );
const cases: fc.Arbitrary<Case> = fc.oneof(
  {weight: 5, arbitrary: validCases},
  {
    weight: 3,
    arbitrary: validCases.chain(({name, input}) => invalidInputs(input).map((invalid) => ({name, input: invalid}))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...names), fc.oneof(fc.json(), fc.string()))
      .map(([name, body]) => ({name, body})),
  },
);

/** Puts a configured service and origin into the input, so that the request gets as far as the platform. */
function withKnownNames(input: Record<string, unknown>): Record<string, unknown> {
  return {
    ...input,
    ...('service' in input && {service: 'DEMO'}),
    ...('origin' in input && {origin: 'http://localhost:5173'}),
  };
}

test(`${CASES} generated requests get documented answers`, {timeout: 3_600_000}, async ({annotate}) => {
  await control('limits', {limits: null});
  const statuses: Record<number, number> = {};
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      const {path, method, status} = row(one.name);
      const answer =
        'input' in one
          ? await call(one.name, one.input)
          : await ask(path.replace(/\{\w+\}/g, '1'), {
              method,
              headers: {'idempotency-key': newKey()},
              body: method === 'GET' ? null : one.body,
            });
      if ('body' in one) expectDocumented(one.name, answer);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      // Everything is configured except a webhook, so only `resendEvent` may answer 501.
      expect(one.name === 'resendEvent' ? [500] : [500, 501], answer.text).not.toContain(answer.status);
      if (answer.status < 400) expect(answer.status).toBe(status ?? 200);
    }),
    {numRuns: CASES, endOnFailure: true},
  );
  await annotate(
    Object.entries(statuses)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', '),
  );
  // Many of the requests must succeed, so that the test does not cover only refusals.
  expect((statuses[200] ?? 0) + (statuses[201] ?? 0)).toBeGreaterThan(CASES / 20);
});
