// @ts-check
// Generates the API description (OpenAPI 3.1), `/openapi.json`, from the contract's tables. The build makes it, because
// the library with which it is generated is larger than the rest of the Worker.

import process from 'node:process';
import {createDocument} from 'zod-openapi';
import * as z from 'zod/mini';
import {browserDescriptions} from '../../worker/contract/browser/descriptions.ts';
import {browserEndpoints} from '../../worker/contract/browser/endpoints.ts';
import {browserExamples} from '../../worker/contract/browser/examples.ts';
import {QueuedCommand} from '../../worker/contract/merchant/commands.ts';
import {endpoints} from '../../worker/contract/merchant/endpoints.ts';
import {RESOURCES} from '../../worker/contract/merchant/resources.ts';
import {version} from '../lib/repo.mjs';
import {INTRODUCTION, PARAMETERS, SECURITY_SCHEMES, unlistedPaths, webhooks} from './openapi-handwritten.mjs';
import {browserCodes, COMMON_CODES, merchantCodes, problems} from './openapi-problems.mjs';
import {listConstants, nameSchemas} from './openapi-schemas.mjs';

/** @typedef {import('../../worker/contract/browser/endpoints.ts').BrowserEndpoint} BrowserEndpoint */
/** @typedef {import('../../worker/contract/browser/descriptions.ts').BrowserDescription} BrowserDescription */
/** @typedef {import('../../worker/contract/merchant/endpoint.ts').DescribedEndpoint} DescribedEndpoint */
/** @typedef {{readonly input?: object, readonly answer?: object}} Example */
/** @typedef {import('./openapi-problems.mjs').ErrorCode} ErrorCode */
/** The error answers of these codes, by status. @typedef {(codes: readonly ErrorCode[]) => object} ProblemsOf */

const merchantRows = Object.entries(/** @type {Readonly<Record<string, DescribedEndpoint>>} */ (endpoints));
const browserRows = Object.entries(/** @type {Readonly<Record<string, BrowserEndpoint>>} */ (browserEndpoints));
/** @type {Readonly<Record<string, BrowserDescription>>} */
const descriptions = browserDescriptions;
/** What each operation gets and answers in its examples. @type {Readonly<Record<string, Example>>} */
const examples = {
  ...browserExamples,
  ...Object.fromEntries(merchantRows.map(([name, {docs}]) => [name, docs.example])),
};

/** @type {import('../../worker/contract/merchant/commands.ts').QueuedCommand} */
const queuedExample = {
  state: 'queued',
  command_id: '5d7c6a1e-0b0e-4f57-9c8e-2d6d1f0a7b11',
  queue_position: 3,
  expected_at: '2026-11-22T15:52:20+03:00',
};

/** @param {DescribedEndpoint} row */
const resourceOf = ({docs}) => RESOURCES[/** @type {keyof typeof RESOURCES} */ (docs.client.split('.')[0])];

/** @param {unknown} schema @param {unknown} example */
const json = (schema, example) => ({'application/json': {schema, example}});

/**
 * Describes one endpoint of the merchant API.
 * @param {string} name
 * @param {DescribedEndpoint} row
 * @param {ProblemsOf} problemsOf
 */
function merchantOperation(name, row, problemsOf) {
  const {method, path, scope, write, queues, csv, input, status = 200, docs} = row;
  const {summary, description = '', answer, example} = docs;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field);
  const rest = partOf(input, inPath, z.omit);
  const hasRest = !(rest instanceof z.ZodMiniObject && Object.keys(rest.shape).length === 0);
  const inBody = Object.entries(example.input ?? {}).filter(([field]) => !inPath.includes(field));
  return {
    operationId: name,
    tags: [resourceOf(row).group],
    summary,
    description:
      `${description}\n\nNeeds the root key${scope === 'root' ? '' : `, or an API key with the scope \`${scope}\``}.`.trim(),
    security: [{merchantKey: [scope]}],
    requestParams: {
      ...(inPath.length > 0 && {path: partOf(input, inPath, z.pick)}),
      ...(method === 'GET' && hasRest && {query: rest}),
    },
    ...(write && {parameters: [{$ref: '#/components/parameters/IdempotencyKey'}]}),
    ...(method !== 'GET' &&
      hasRest && {requestBody: {required: true, content: json(rest, Object.fromEntries(inBody))}}),
    responses: {
      [status]: {
        description: status === 201 ? 'Created.' : 'Done.',
        content: {...json(answer, example.answer), ...(csv && {'text/csv': {schema: {type: 'string'}}})},
      },
      ...(queues && {
        202: {
          description: 'Queued: the Worker will send the command on a later day.',
          content: json(QueuedCommand, queuedExample),
        },
      }),
      ...problemsOf(merchantCodes(row)),
    },
  };
}

/**
 * An input with or without the fields that are in the path. All options of a union have these fields.
 * @param {z.ZodMiniType} input
 * @param {readonly string[]} fields
 * @param {typeof z.omit | typeof z.pick} select
 * @returns {z.ZodMiniType}
 */
function partOf(input, fields, select) {
  if (fields.length === 0) return input;
  if (input instanceof z.ZodMiniDiscriminatedUnion) {
    const {discriminator, options} = /** @type {{discriminator: string, options: z.ZodMiniObject[]}} */ (
      /** @type {unknown} */ (input.def)
    );
    const parts = /** @type {any} */ (options.map((option) => partOf(option, fields, select)));
    return select === z.pick ? parts[0] : z.discriminatedUnion(discriminator, parts);
  }
  const {shape, def} = /** @type {z.ZodMiniObject} */ (input);
  return select(
    // Zod selects no fields of an object with a check. The description has no checks.
    def.checks?.length ? z.strictObject(shape) : /** @type {z.ZodMiniObject} */ (input),
    /** @type {Record<string, true>} */ (Object.fromEntries(fields.map((field) => [field, true]))),
  );
}

/**
 * Describes one endpoint of the browser API.
 * @param {string} name
 * @param {BrowserEndpoint} row
 * @param {ProblemsOf} problemsOf
 */
function browserOperation(name, row, problemsOf) {
  const {session, mayOpenSession, input, asText, status} = row;
  const {summary, segments, answer, media, codes} = /** @type {BrowserDescription} */ (descriptions[name]);
  const example = examples[name];
  const content = answer ? json(answer, example?.answer) : media && {[media]: {}};
  const body = input && {schema: input(), example: example?.input};
  return {
    operationId: name,
    tags: ['Pages'],
    summary,
    security: session ? [{session: []}, ...(mayOpenSession ? [{}] : [])] : [],
    ...(segments && {requestParams: {path: segments}}),
    ...(body && {
      requestBody: {required: true, content: {'application/json': body, ...(asText && {'text/plain': body})}},
    }),
    responses: {
      [status]: {description: status === 101 ? 'Switches to a WebSocket.' : 'Done.', ...(content && {content})},
      ...problemsOf(browserCodes(row, codes)),
    },
  };
}

/** The whole document. */
export function openApiDocument() {
  /** @type {Record<string, object>} */
  const responses = {};
  /** @type {ProblemsOf} */
  const problemsOf = (codes) => problems(codes, responses);
  /** @type {Record<string, Record<string, object>>} */
  const paths = {};
  for (const [name, row] of merchantRows)
    (paths[row.path] ??= {})[row.method.toLowerCase()] = merchantOperation(name, row, problemsOf);
  for (const [name, row] of browserRows)
    (paths[row.path] ??= {})[row.method.toLowerCase()] = browserOperation(name, row, problemsOf);
  Object.assign(paths, unlistedPaths(problemsOf, COMMON_CODES));
  /** The sentences of each group's resources. @type {Record<string, string[]>} */
  const tags = {};
  for (const {group, about} of merchantRows.map(([, row]) => resourceOf(row)))
    if (!tags[group]?.includes(about)) (tags[group] ??= []).push(about);
  tags['Pages'] = ['Requests of the elements.'];
  const document = createDocument(
    /** @type {any} */ ({
      openapi: '3.1.0',
      info: {title: 'Vezne', version, description: INTRODUCTION, license: {name: 'MIT', identifier: 'MIT'}},
      servers: [{url: '/', description: 'The Worker that serves this file.'}],
      tags: Object.entries(tags).map(([name, abouts]) => ({name, description: abouts.join(' ')})),
      paths,
      webhooks: webhooks(),
      components: {
        securitySchemes: SECURITY_SCHEMES,
        parameters: PARAMETERS,
        responses,
        headers: {RetryAfter: {description: 'Seconds to wait before the next attempt.', schema: {type: 'integer'}}},
      },
    }),
  );
  for (const {operationId, parameters = []} of Object.values(document.paths ?? {}).flatMap(Object.values)) {
    const input = /** @type {Record<string, unknown>} */ (examples[operationId]?.input ?? {});
    // A parameter's example is the value in the operation's example, or else the first example of the field.
    for (const parameter of parameters)
      if (parameter.schema) parameter.example ??= input[parameter.name] ?? parameter.schema.examples?.[0];
  }
  nameSchemas(document);
  listConstants(document.paths);
  listConstants(document.components);
  return document;
}

export const openApiText = () => JSON.stringify(openApiDocument());

if (import.meta.main) process.stdout.write(openApiText());
