/** Checks that `/openapi.json` documents the answers of the Worker, including every refusal. */

import description from 'virtual:openapi';
import {expect} from 'vitest';
import type {EndpointName} from '../../../../../worker/contract/merchant/endpoints.ts';
import type {MerchantProblem} from '../../../../../worker/contract/problem.ts';

const operations = new Map(
  Object.values(description.paths)
    .flatMap((methods) => Object.values(methods))
    .map((one) => [one.operationId, one]),
);

interface DocumentedAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
}

/** Expects that the API description documents this status and, if the answer is a problem, its code. */
export function expectDocumented(name: EndpointName, {status, body, text}: DocumentedAnswer): void {
  const response = operations.get(name)?.responses[status];
  const documented = response?.$ref
    ? description.components.responses[response.$ref.split('/').at(-1) ?? '']
    : response;
  expect(documented, `The description of ${name} lacks the answer ${text}`).toBeDefined();
  if (status >= 400)
    expect(documented?.description, `${name}: ${text}`).toContain(`\`${(body as MerchantProblem).code}\``);
}
