// @ts-check
// Generates the API description (OpenAPI 3.1), `/openapi.json`, from the contract's tables. The build makes it, because
// the library with which it is generated is larger than the rest of the Worker.

import process from 'node:process';
import {createDocument} from 'zod-openapi';
import * as z from 'zod/mini';
import {browserEndpoints} from '../../worker/contract/browser/endpoints.ts';
import {schemaOf} from '../../worker/contract/endpoint.ts';
import {QueuedCommand} from '../../worker/contract/merchant/commands.ts';
import {endpoints} from '../../worker/contract/merchant/endpoints.ts';
import {RESOURCES} from '../../worker/contract/merchant/resources.ts';
import {version} from '../lib/repo.mjs';
import {INTRODUCTION, PARAMETERS, SECURITY_SCHEMES, unlistedPaths, webhooks} from './openapi-handwritten.mjs';
import {browserCodes, COMMON_CODES, merchantCodes, problems} from './openapi-problems.mjs';
import {listConstants, nameSchemas} from './openapi-schemas.mjs';

/** @typedef {import('../../worker/contract/endpoint.ts').Row} Row */
/** @typedef {import('../../worker/contract/endpoint.ts').PageRow} PageRow */
/** @typedef {import('../../worker/contract/endpoint.ts').MerchantRow} MerchantRow */
/** @typedef {import('./openapi-problems.mjs').ErrorCode} ErrorCode */
/** The error answers of these codes, by status. @typedef {(codes: readonly ErrorCode[]) => object} ProblemsOf */

/** Both APIs. @type {ReadonlyMap<string, Row>} */
const rows = new Map(Object.entries({...endpoints, ...browserEndpoints}));

/** @type {import('../../worker/contract/merchant/commands.ts').QueuedCommand} */
const queuedExample = {
  state: 'queued',
  command_id: '5d7c6a1e-0b0e-4f57-9c8e-2d6d1f0a7b11',
  queue_position: 3,
  expected_at: '2026-11-22T15:52:20+03:00',
};

/** @param {MerchantRow} row */
const resourceOf = ({docs}) => RESOURCES[/** @type {keyof typeof RESOURCES} */ (docs.client.split('.')[0])];

/** @param {unknown} schema @param {unknown} example */
const json = (schema, example) => ({'application/json': {schema, example}});

/** @param {MerchantRow} row */
const describe = ({scope, docs: {description = ''}}) =>
  `${description}\n\nNeeds the root key${scope === 'root' ? '' : `, or an API key with the scope \`${scope}\``}.`.trim();

/** @param {z.ZodMiniType} schema */
const hasFields = (schema) => !(schema instanceof z.ZodMiniObject && Object.keys(schema.shape).length === 0);

/**
 * Describes one endpoint.
 * @param {string} name
 * @param {Row} row
 * @param {ProblemsOf} problemsOf
 */
function operation(name, row, problemsOf) {
  const {method, path, status = 200, docs} = row;
  const [page, server] = 'scope' in row ? [null, row] : [row, null];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field);
  const input = schemaOf(row);
  const segments = page ? page.docs.segments : input;
  const rest = input && partOf(input, inPath, z.omit);
  // A page sends a body without fields too.
  const isSent = rest && (page || hasFields(rest));
  const sent = Object.entries(docs.example?.input ?? {}).filter(([field]) => !inPath.includes(field));
  const body = json(rest, Object.fromEntries(sent));
  const content = {
    ...(docs.answer && json(docs.answer, docs.example?.answer)),
    ...(server?.csv && {'text/csv': {schema: {type: 'string'}}}),
    ...(page?.docs.media && {[page.docs.media]: {}}),
  };
  return {
    operationId: name,
    tags: [server ? resourceOf(server).group : 'Pages'],
    summary: docs.summary,
    ...(server && {description: describe(server)}),
    security: server
      ? [{merchantKey: [server.scope]}]
      : page?.session
        ? [{session: []}, ...(page.mayOpenSession ? [{}] : [])]
        : [],
    ...(segments && {
      requestParams: {
        ...(inPath.length > 0 && {path: partOf(segments, inPath, z.pick)}),
        ...(method === 'GET' && isSent && {query: rest}),
      },
    }),
    ...(server?.write && {parameters: [{$ref: '#/components/parameters/IdempotencyKey'}]}),
    ...(method !== 'GET' &&
      isSent && {
        requestBody: {
          required: true,
          content: {...body, ...(page?.asText && {'text/plain': body['application/json']})},
        },
      }),
    responses: {
      [status]: {
        description: server && status === 201 ? 'Created.' : status === 101 ? 'Switches to a WebSocket.' : 'Done.',
        ...(Object.keys(content).length > 0 && {content}),
      },
      ...(server?.queues && {
        202: {
          description: 'Queued: the Worker will send the command on a later day.',
          content: json(QueuedCommand, queuedExample),
        },
      }),
      ...problemsOf(server ? merchantCodes(server) : browserCodes(/** @type {PageRow} */ (page))),
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

/** The whole document. */
export function openApiDocument() {
  /** @type {Record<string, object>} */
  const responses = {};
  /** @type {ProblemsOf} */
  const problemsOf = (codes) => problems(codes, responses);
  /** @type {Record<string, Record<string, object>>} */
  const paths = {};
  for (const [name, row] of rows) (paths[row.path] ??= {})[row.method.toLowerCase()] = operation(name, row, problemsOf);
  Object.assign(paths, unlistedPaths(problemsOf, COMMON_CODES));
  /** The sentences of each group's resources. @type {Record<string, string[]>} */
  const tags = {};
  for (const {group, about} of Object.values(endpoints).map(resourceOf))
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
    const {docs} = rows.get(operationId) ?? {};
    const input = /** @type {Record<string, unknown>} */ (docs?.example?.input ?? {});
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
