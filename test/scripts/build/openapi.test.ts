/** `/openapi.json` is made from the contract, and a linter that is not ours holds it to the standard. */

import {readFileSync} from 'node:fs';
import {createConfig, lintFromString} from '@redocly/openapi-core';
import {describe, expect, test} from 'vitest';
import {openApiText} from '../../../scripts/build/openapi.mjs';
import {repoPath} from '../../../scripts/lib/repo.mjs';
import {type BrowserDescription, browserDescriptions} from '../../../worker/contract/browser/descriptions.ts';
import {
  type BrowserEndpoint,
  type BrowserEndpointName,
  browserEndpoints,
} from '../../../worker/contract/browser/endpoints.ts';
import {browserExamples} from '../../../worker/contract/browser/examples.ts';
import {ERROR_KINDS} from '../../../worker/contract/codes.ts';
import {endpoints} from '../../../worker/contract/merchant/endpoints.ts';

const text = readFileSync(repoPath('worker', 'openapi.json'), 'utf8');

interface Operation {
  readonly operationId: string;
  readonly security: object[];
  readonly parameters?: {
    readonly $ref?: string;
    readonly name?: string;
    readonly in?: string;
    readonly example?: unknown;
  }[];
  readonly requestBody?: {readonly content: Record<string, {readonly example?: unknown}>};
  readonly responses: Record<
    string,
    {
      readonly description?: string;
      readonly $ref?: string;
      readonly content?: Record<string, {readonly example?: unknown}>;
    }
  >;
}
const document = JSON.parse(text) as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: {responses: Record<string, {description: string}>};
};

test('the file is what `npm run describe` makes of the contract', () => {
  expect(text).toBe(openApiText());
});

test('a public linter finds nothing', async () => {
  // A WebSocket answers 101, and /health refuses nobody.
  const rules = {'operation-2xx-response': 'off', 'operation-4xx-response': 'off'} as const;
  const problems = await lintFromString({
    source: text,
    absoluteRef: 'openapi.json',
    config: await createConfig({extends: ['recommended'], rules}),
  });
  expect(problems.map(({ruleId, message, location}) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

test('it is OpenAPI 3.1 and names no address', () => {
  expect(document.openapi).toBe('3.1.0');
  // A frame may be sandboxed; no value of the sandbox's stands here.
  expect(text.match(/localhost|127\.0\.0\.1|\bsandbox\b/g)).toBeNull();
});

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

test('every field of an address, every body and every answer in JSON shows an example', () => {
  const shown: [where: string, example: unknown][] = [];
  for (const {operationId, parameters = [], requestBody, responses} of operations) {
    for (const {$ref, name, example} of parameters) if (!$ref) shown.push([`${operationId} ${name}`, example]);
    for (const {content = {}} of [requestBody ?? {}, ...Object.values(responses)]) {
      for (const [media, {example}] of Object.entries(content))
        if (media.endsWith('json')) shown.push([operationId, example]);
    }
  }
  expect(shown.length).toBeGreaterThan(200);
  expect(shown.filter(([, example]) => example === undefined)).toEqual([]);
});

test('the examples of the browser API are what it takes and gives', () => {
  for (const name of Object.keys(browserEndpoints) as BrowserEndpointName[]) {
    const {input}: BrowserEndpoint = browserEndpoints[name];
    const {segments, answer}: BrowserDescription = browserDescriptions[name];
    const example = browserExamples[name];
    const asked = input ?? segments;
    expect([name, asked?.safeParse(example.input).error, answer?.safeParse(example.answer).error]).toEqual([
      name,
      undefined,
      undefined,
    ]);
  }
});

describe.each(Object.entries(endpoints))('%s', (name, row) => {
  const operation = document.paths[row.path]?.[row.method.toLowerCase()] as Operation;

  test('says who may call, what it carries, and shows an example', () => {
    expect(operation.security).toEqual([{merchantKey: []}]);
    const keyed = (operation.parameters ?? []).some(({$ref}) => $ref === '#/components/parameters/IdempotencyKey');
    expect(keyed).toBe(row.write);
    expect(operation.responses[row.status]?.content?.['application/json']?.example).toEqual(row.example.answer);
    if (operation.requestBody) expect(operation.requestBody.content['application/json']?.example).toBeTypeOf('object');
  });

  test('names every code it refuses with', () => {
    const told = Object.values(operation.responses)
      .map(
        ({description, $ref}) =>
          description ?? document.components.responses[$ref?.split('/').at(-1) ?? '']?.description ?? '',
      )
      .join('\n');
    for (const code of [...row.codes, 'unauthorized', 'internal', 'invalid_request'] as const) {
      expect(told, `${name} ${code}`).toContain(`\`${code}\`: ${ERROR_KINDS[code].title}`);
    }
  });
});
