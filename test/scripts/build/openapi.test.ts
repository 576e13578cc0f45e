/** Checks the API description, `/openapi.json`: Redocly's OpenAPI linter must find no problem in it. */

import {createConfig, lintFromString} from '@redocly/openapi-core';
import {describe, expect, test} from 'vitest';
import {openApiText} from '../../../scripts/build/openapi.mjs';
import {browserEndpoints} from '../../../worker/contract/browser/endpoints.ts';
import {ERROR_KINDS} from '../../../worker/contract/codes.ts';
import {type PageRow, schemaOf} from '../../../worker/contract/endpoint.ts';
import {endpoints} from '../../../worker/contract/merchant/endpoints.ts';
import {eventExample} from '../../../worker/contract/merchant/event-feed.ts';
import {EVENT_TYPES} from '../../../worker/contract/merchant/webhooks.ts';

const text = openApiText();

interface Operation {
  readonly operationId: string;
  readonly description?: string;
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
interface EventSchema {
  readonly oneOf?: readonly {readonly $ref: string}[];
  readonly discriminator?: {readonly propertyName: string; readonly mapping: Record<string, string>};
  readonly properties?: Record<string, {readonly const?: string; readonly $ref?: string}>;
}
const document = JSON.parse(text) as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: {event: {post: Operation}};
  components: {
    parameters: Record<string, {name: string}>;
    responses: Record<string, {description: string}>;
    schemas: Record<string, EventSchema>;
  };
};

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

test('each type of event has a named schema, and the field `type` of an event says which schema it has', () => {
  const {schemas} = document.components;
  const {oneOf, discriminator} = schemas['Event'] ?? {};
  expect(discriminator?.propertyName).toBe('type');
  expect(Object.keys(discriminator?.mapping ?? {})).toEqual([...EVENT_TYPES]);
  expect(oneOf?.map(({$ref}) => $ref)).toEqual(Object.values(discriminator?.mapping ?? {}));
  expect(discriminator?.mapping).toMatchObject({
    'payment.received': '#/components/schemas/PaymentReceivedEvent',
    'payment_notice.created': '#/components/schemas/PaymentNoticeCreatedEvent',
  });
  for (const [type, name] of Object.entries(discriminator?.mapping ?? {})) {
    const properties = schemas[name.replace('#/components/schemas/', '')]?.properties;
    expect(properties?.['type']?.const).toBe(type);
    expect(properties?.['data']?.$ref, type).toMatch(/^#\/components\/schemas\/\w+EventData$/);
  }
});

test('every object of the API description is a named schema', () => {
  const unnamed: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('properties' in value && 'type' in value && !/^\/components\/schemas\/\w+$/.test(path)) unnamed.push(path);
    for (const [name, part] of Object.entries(value)) if (name !== 'example') visit(part, `${path}/${name}`);
  };
  visit(document, '');
  expect(unnamed).toEqual([]);
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['CreateRefundRequest', 'CreateSessionRequestPayment', 'ListRefundsAnswer', 'OrderPart']),
  );
});

test('the description of webhooks names every type of event, and the headers that the Worker sends', () => {
  const {parameters, requestBody} = document.webhooks.event.post;
  expect(requestBody?.content['application/json']).toEqual({
    schema: {$ref: '#/components/schemas/Event'},
    example: eventExample,
  });
  expect(parameters?.map(({$ref}) => document.components.parameters[$ref?.split('/').at(-1) ?? '']?.name)).toEqual([
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
});

test('Redocly’s OpenAPI linter finds no problem', async () => {
  // The WebSocket's endpoint answers with 101, and /health never answers with 4xx.
  const rules = {'operation-2xx-response': 'off', 'operation-4xx-response': 'off'} as const;
  const problems = await lintFromString({
    source: text,
    absoluteRef: 'openapi.json',
    config: await createConfig({extends: ['recommended'], rules}),
  });
  expect(problems.map(({ruleId, message, location}) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

test('generators of clients that copy patterns without flags, name the values of enums, or know no `const`, can use every schema', () => {
  const copied: string[] = [];
  const unnamed: string[] = [];
  const unlisted: unknown[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const {pattern, const: only, enum: values, 'x-enum-varnames': names = values} = value as Record<string, unknown>;
    if (typeof only === 'string' && !(Array.isArray(values) && values.join() === only)) unlisted.push(only);
    if (typeof pattern === 'string' && /\\[pP]\{/.test(pattern)) copied.push(pattern);
    // A value in other letters, such as `<`, has no name of its own.
    const identifiers = Array.isArray(names) ? names.map((name) => String(name).replace(/\W+/g, '_')) : [];
    if (new Set(identifiers).size < identifiers.length || (Array.isArray(values) && identifiers.length < values.length))
      unnamed.push(String(values));
    Object.values(value).forEach(visit);
  };
  visit({paths: document.paths, components: document.components});
  expect({copied, unnamed, unlisted}).toEqual({copied: [], unnamed: [], unlisted: []});
});

test('the API description is OpenAPI 3.1 and does not name this machine or the sandbox', () => {
  expect(document.openapi).toBe('3.1.0');
  // The description may use the word "sandboxed". The field `"sandbox"` is the attribute of a frame.
  expect(text.match(/localhost|127\.0\.0\.1|(?<!")\bsandbox\b/g)).toBeNull();
});

test('every parameter, every request body and every JSON answer has an example', () => {
  const examples: [place: string, example: unknown][] = [];
  for (const {operationId, parameters = [], requestBody, responses} of operations) {
    for (const {$ref, name, example} of parameters) if (!$ref) examples.push([`${operationId} ${name}`, example]);
    for (const {content = {}} of [requestBody ?? {}, ...Object.values(responses)]) {
      for (const [media, {example}] of Object.entries(content))
        if (media.endsWith('json')) examples.push([operationId, example]);
    }
  }
  expect(examples.length).toBeGreaterThan(200);
  expect(examples.filter(([, example]) => example === undefined)).toEqual([]);
});

test('the examples of the browser API match its schemas', () => {
  for (const [name, row] of Object.entries<PageRow>(browserEndpoints)) {
    const {answer, example} = row.docs;
    const errors = [schemaOf(row)?.safeParse(example?.input).error, answer?.safeParse(example?.answer).error];
    expect([name, ...errors]).toEqual([name, undefined, undefined]);
  }
});

describe.each(Object.entries(endpoints))('%s', (name, row) => {
  const operation = document.paths[row.path]?.[row.method.toLowerCase()] as Operation;

  test('the endpoint’s description has the scope, the idempotency key of a write, and examples', () => {
    expect(operation.security).toEqual([{merchantKey: [row.scope]}]);
    expect(operation.description).toContain(
      row.scope === 'root' ? 'Needs the root key.' : `the scope \`${row.scope}\``,
    );
    const hasIdempotencyKey = (operation.parameters ?? []).some(
      ({$ref}) => $ref === '#/components/parameters/IdempotencyKey',
    );
    expect(hasIdempotencyKey).toBe(row.write === true);
    expect(operation.responses[row.status ?? 200]?.content?.['application/json']?.example).toEqual(
      row.docs.example.answer,
    );
    if (operation.requestBody) expect(operation.requestBody.content['application/json']?.example).toBeTypeOf('object');
  });

  test('the endpoint’s description lists each error code of the endpoint, with its title', () => {
    const descriptions = Object.values(operation.responses)
      .map(
        ({description, $ref}) =>
          description ?? document.components.responses[$ref?.split('/').at(-1) ?? '']?.description ?? '',
      )
      .join('\n');
    for (const code of [...row.docs.codes, 'unauthorized', 'internal', 'invalid_request'] as const) {
      expect(descriptions, `${name} ${code}`).toContain(`\`${code}\`: ${ERROR_KINDS[code].title}`);
    }
  });
});
