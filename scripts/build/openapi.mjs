// @ts-check
// Generates the API description (OpenAPI 3.1) from the contract's tables. The description is a static file, because the
// library with which it is generated is larger than the rest of the Worker.

import {createDocument} from 'zod-openapi';
import * as z from 'zod/mini';
import {browserDescriptions} from '../../worker/contract/browser/descriptions.ts';
import {browserEndpoints} from '../../worker/contract/browser/endpoints.ts';
import {browserExamples} from '../../worker/contract/browser/examples.ts';
import {QueuedCommand} from '../../worker/contract/merchant/commands.ts';
import {SCOPE_CODES} from '../../worker/contract/merchant/endpoint.ts';
import {endpoints} from '../../worker/contract/merchant/endpoints.ts';
import {RESOURCES} from '../../worker/contract/merchant/resources.ts';
import {version} from '../lib/repo.mjs';
import {
  ALL_SERVICES_CODES,
  COMMAND_CODES,
  COMMON_CODES,
  INPUT_CODES,
  KEY_CODES,
  PLATFORM_CODES,
  problems,
  sharedResponses,
  WRITE_CODES,
} from './openapi-problems.mjs';
import {addSamples} from './openapi-samples.mjs';
import {nameSchemas} from './openapi-schemas.mjs';
import {DESCRIPTION, TAGS, needs} from './openapi-texts.mjs';
import {unlistedPaths} from './openapi-unlisted.mjs';
import {webhookHeaders, webhooks} from './openapi-webhooks.mjs';

/** @typedef {import('../../worker/contract/codes.ts').ErrorCode} ErrorCode */
/** @typedef {import('../../worker/contract/browser/endpoints.ts').BrowserEndpoint} BrowserEndpoint */
/** @typedef {import('../../worker/contract/browser/endpoints.ts').BrowserEndpointName} BrowserEndpointName */
/** @typedef {import('../../worker/contract/browser/descriptions.ts').BrowserDescription} BrowserDescription */
/** @typedef {import('../../worker/contract/merchant/endpoint.ts').DescribedEndpoint} DescribedEndpoint */

/** @type {readonly ErrorCode[]} */
const SESSION_CODES = ['unauthorized', 'session_expired', 'session_kind'];

/** @type {import('../../worker/contract/merchant/commands.ts').QueuedCommand} */
const queuedExample = {
  state: 'queued',
  command_id: '5d7c6a1e-0b0e-4f57-9c8e-2d6d1f0a7b11',
  queue_position: 3,
  expected_at: '2026-11-22T15:52:20+03:00',
};

/**
 * Describes one endpoint of the merchant API.
 * @param {string} name
 * @param {DescribedEndpoint} row
 */
function merchantOperation(
  name,
  {method, path, operation, scope, service, write, command, queues, csv, input, status, docs},
) {
  const {summary, description, answer, codes, example} = docs;
  const {pathFields, inPath, rest} = splitInput(path, input);
  const allCodes = [
    ...COMMON_CODES,
    ...KEY_CODES,
    SCOPE_CODES[scope],
    ...(service === 'all' && scope !== 'root' ? ALL_SERVICES_CODES : []),
    ...INPUT_CODES,
    ...(write ? WRITE_CODES : []),
    ...(command ? COMMAND_CODES : []),
    ...(operation ? PLATFORM_CODES : []),
    ...(write && operation ? ['outcome_unknown'] : []),
    ...codes,
  ];
  const bodyExample = Object.fromEntries(
    Object.entries(/** @type {object} */ (example.input)).filter(([field]) => !pathFields.includes(field)),
  );
  const hasBody = method !== 'GET' && !isEmpty(rest);
  return {
    operationId: name,
    tags: [groupOf(docs)],
    summary,
    description: [...(description ? [description] : []), needs(scope)].join('\n\n'),
    security: [{merchantKey: [scope]}],
    requestParams: {
      ...(pathFields.length > 0 && {path: inPath}),
      ...(method === 'GET' && !isEmpty(rest) && {query: rest}),
    },
    ...(write && {parameters: [{$ref: '#/components/parameters/IdempotencyKey'}]}),
    ...(hasBody && {
      requestBody: {required: true, content: {'application/json': {schema: rest, example: bodyExample}}},
    }),
    responses: {
      [status ?? 200]: {
        description: status === 201 ? 'Created.' : 'Done.',
        content: {
          'application/json': {schema: answer, example: example.answer},
          ...(csv && {'text/csv': {schema: {type: 'string'}}}),
        },
      },
      ...(queues && {
        202: {
          description: 'Queued: the Worker will send the command on a later day.',
          content: {'application/json': {schema: QueuedCommand, example: queuedExample}},
        },
      }),
      ...problems(/** @type {ErrorCode[]} */ (allCodes)),
    },
  };
}

/** @param {DescribedEndpoint['docs']} docs */
const groupOf = ({client}) => RESOURCES[/** @type {keyof typeof RESOURCES} */ (client.split('.')[0])].group;

/**
 * Splits an input into the fields that are in the path and the other fields.
 * @param {string} path
 * @param {z.ZodMiniType} input
 * @returns {{pathFields: string[], inPath: z.ZodMiniObject, rest: z.ZodMiniType}}
 */
function splitInput(path, input) {
  const pathFields = [...path.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field);
  if (input instanceof z.ZodMiniDiscriminatedUnion && pathFields.length > 0) {
    const {discriminator, options} = /** @type {{discriminator: string, options: z.ZodMiniObject[]}} */ (
      /** @type {unknown} */ (input.def)
    );
    const split = options.map((option) => splitInput(path, option));
    const rest = z.discriminatedUnion(
      discriminator,
      /** @type {any} */ (split.map((one) => one.rest)),
    );
    return {pathFields, inPath: split[0]?.inPath ?? z.object({}), rest};
  }
  if (!(input instanceof z.ZodMiniObject) || pathFields.length === 0)
    return {pathFields, inPath: z.object({}), rest: input};
  /** @type {Record<string, true>} */
  const mask = Object.fromEntries(pathFields.map((field) => [field, /** @type {const} */ (true)]));
  return {pathFields, inPath: z.pick(input, mask), rest: z.omit(input, mask)};
}

/** @param {z.ZodMiniType} schema */
const isEmpty = (schema) => schema instanceof z.ZodMiniObject && Object.keys(schema.shape).length === 0;

/**
 * Describes one endpoint of the browser API.
 * @param {BrowserEndpointName} name
 */
function browserOperation(name) {
  /** @type {BrowserEndpoint} */
  const {access, session, mayOpenSession, limit, input, asText, status} = browserEndpoints[name];
  /** @type {BrowserDescription} */
  const {summary, segments, answer, media, codes} = browserDescriptions[name];
  const example = browserExamples[name];
  const content = answer ? {'application/json': {schema: answer, example: example.answer}} : media && {[media]: {}};
  return {
    operationId: name,
    tags: ['Pages'],
    summary,
    security: session ? [{session: []}, ...(mayOpenSession ? [{}] : [])] : [],
    ...(segments && {requestParams: {path: segments}}),
    ...(input && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          ['application/json', ...(asText ? ['text/plain'] : [])].map((type) => [
            type,
            {schema: input(), example: example.input},
          ]),
        ),
      },
    }),
    responses: {
      [status ?? 200]: {description: status === 101 ? 'Switches to a WebSocket.' : 'Done.', ...(content && {content})},
      ...problems([
        ...COMMON_CODES,
        ...(input ? INPUT_CODES : []),
        ...(access === 'page' ? /** @type {const} */ (['origin_not_allowed']) : []),
        ...(session ? SESSION_CODES : []),
        ...(limit ? /** @type {const} */ (['rate_limited']) : []),
        ...codes,
      ]),
    },
  };
}

/**
 * Adds an example to each parameter: the value in the operation's example, or else the first example of the field.
 * @param {any} operation
 * @param {object} input
 */
function addParameterExamples(operation, input) {
  for (const parameter of operation.parameters ?? [])
    if (parameter.schema)
      parameter.example =
        /** @type {Record<string, unknown>} */ (input)[parameter.name] ?? parameter.schema.examples?.[0];
}

/** The whole document. */
export function openApiDocument() {
  /** @type {Record<string, Record<string, object>>} */
  const paths = {};
  for (const [name, row] of Object.entries(endpoints))
    (paths[row.path] ??= {})[row.method.toLowerCase()] = merchantOperation(name, row);
  for (const [name, {path, method}] of Object.entries(browserEndpoints))
    (paths[path] ??= {})[method.toLowerCase()] = browserOperation(/** @type {BrowserEndpointName} */ (name));
  paths['/merchant/v1/metrics'] = {
    get: {
      operationId: 'showMetrics',
      tags: ['Operation'],
      summary: 'Shows metrics for a monitor such as Prometheus (docs/observability).',
      security: [{merchantKey: []}],
      responses: {
        200: {description: 'Done.', content: {'application/openmetrics-text': {schema: z.string()}}},
        ...problems([...COMMON_CODES, 'unauthorized']),
      },
    },
  };
  Object.assign(paths, unlistedPaths());
  const tags = [...new Set([...Object.values(endpoints).map(({docs}) => groupOf(docs)), 'Pages'])];
  const document = createDocument(
    /** @type {any} */ ({
      openapi: '3.1.0',
      info: {title: 'Vezne', version, description: DESCRIPTION, license: {name: 'MIT', identifier: 'MIT'}},
      servers: [{url: '/', description: 'The Worker that serves this file.'}],
      tags: tags.map((name) => ({name, description: TAGS[name] ?? name})),
      paths,
      webhooks: webhooks(),
      components: {
        securitySchemes: {
          merchantKey: {
            type: 'http',
            scheme: 'bearer',
            description:
              'The root key, `MERCHANT_API_KEY` (during a rotation also `MERCHANT_API_KEY_PREVIOUS`), or an API key. ' +
              'The scopes are `sessions`, `read`, `money`, `webhooks` and `offers`; only the root key may do what needs `root`.',
          },
          session: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'A session, created for an offer or by the merchant’s server.',
          },
        },
        parameters: {
          IdempotencyKey: {
            name: 'Idempotency-Key',
            in: 'header',
            required: true,
            description: 'A key that the caller chooses for this write: up to 255 visible ASCII characters.',
            schema: {type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$'},
            example: 'refund-S-1009-1',
          },
          ...webhookHeaders(),
        },
        responses: sharedResponses(),
        headers: {RetryAfter: {description: 'Seconds to wait before the next attempt.', schema: {type: 'integer'}}},
      },
    }),
  );
  const documentPaths = /** @type {Record<string, Record<string, object>>} */ (document.paths);
  for (const row of Object.values(endpoints))
    addParameterExamples(documentPaths[row.path]?.[row.method.toLowerCase()], row.docs.example.input);
  for (const [name, {path, method}] of Object.entries(browserEndpoints))
    addParameterExamples(
      documentPaths[path]?.[method.toLowerCase()],
      browserExamples[/** @type {BrowserEndpointName} */ (name)].input ?? {},
    );
  nameSchemas(document);
  addSamples(document, {
    ...browserExamples,
    ...Object.fromEntries(
      Object.entries(endpoints).map(([name, {docs}]) => [name, {input: docs.example.input, client: docs.client}]),
    ),
    checkoutScript: {input: {offer: 'gold'}},
    subscribeScript: {input: {offer: 'club'}},
  });
  return document;
}

/** @param {object} table */
const jsonLines = (table) =>
  `{\n${Object.entries(table)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join(',\n')}\n}`;

/** The document as text. Each path and each schema has its own line, so that a diff shows what changed. */
export function openApiText() {
  const {paths = {}, components = {}, ...rest} = openApiDocument();
  const {schemas = {}, ...others} = components;
  return `${JSON.stringify(rest).slice(0, -1)},\n"components":${JSON.stringify(others).slice(0, -1)},"schemas":${jsonLines(schemas)}},\n"paths":${jsonLines(paths)}}\n`;
}
