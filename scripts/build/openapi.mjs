// @ts-check
// The description of our API, OpenAPI 3.1, made from the contract's rows. It is served as a static file: the library
// that makes it would weigh more than everything it describes.

import {z} from 'zod';
import {createDocument} from 'zod-openapi';
import {Health} from '../../worker/contract/browser/answers.ts';
import {browserDescriptions} from '../../worker/contract/browser/descriptions.ts';
import {browserEndpoints} from '../../worker/contract/browser/endpoints.ts';
import {browserExamples} from '../../worker/contract/browser/examples.ts';
import {QueuedCommand} from '../../worker/contract/merchant/commands.ts';
import {endpoints} from '../../worker/contract/merchant/endpoints.ts';
import {version} from '../lib/repo.mjs';
import {problems, sharedResponses} from './openapi-problems.mjs';

/** @typedef {import('../../worker/contract/codes.ts').ErrorCode} ErrorCode */
/** @typedef {import('../../worker/contract/browser/endpoints.ts').BrowserEndpoint} BrowserEndpoint */
/** @typedef {import('../../worker/contract/browser/endpoints.ts').BrowserEndpointName} BrowserEndpointName */
/** @typedef {import('../../worker/contract/browser/descriptions.ts').BrowserDescription} BrowserDescription */
/** @typedef {import('../../worker/contract/merchant/endpoint.ts').Endpoint} Endpoint */

/** @type {readonly ErrorCode[]} */
const COMMON_CODES = ['internal', 'misconfigured'];
/** @type {readonly ErrorCode[]} */
const INPUT_CODES = ['invalid_request', 'too_large'];
/** @type {readonly ErrorCode[]} */
const WRITE_CODES = ['idempotency_key_missing', 'idempotency_key_reused', 'in_progress'];
/** @type {readonly ErrorCode[]} */
const COMMAND_CODES = ['command_pending', 'not_done'];
/** @type {readonly ErrorCode[]} */
const SESSION_CODES = ['unauthorized', 'session_expired', 'session_kind'];
/** @type {readonly ErrorCode[]} */
const PLATFORM_CODES = [
  'platform_refused',
  'platform_unauthorized',
  'platform_address_refused',
  'not_configured',
  'temporarily_unavailable',
];

const DESCRIPTION = `Bank transfers and mobile subscriptions for any web page.

The **merchant API** is for servers: it carries \`Authorization: Bearer <MERCHANT_API_KEY>\`, and no page may call it. The **browser API** is what the
elements use, with a session. What the payment platform calls (\`/hooks/…\`) is not here: its bodies, keys and answers are the platform's own, and nobody else
has a use for them; \`docs/deploy.md\` says where it is told of them.

Money is decimal text in \`TRY\`, times are ISO 8601 with \`+03:00\`, ids are text. Every error is a problem (RFC 9457) whose \`code\` is stable;
\`retryable\` says whether the same request may succeed later.

Every write carries an \`Idempotency-Key\`. The same key and input get the same answer for 72 hours, another input 422, and while the first is running
409; an answer given again carries \`Idempotency-Replayed: true\`. Where it is not known whether a write was done, the answer is \`outcome_unknown\` (504): it is
never done twice under its key. What moves money or ends something is a command: it is looked for at the platform until it is known, the same key then tells
what became of it, and \`GET /merchant/v1/commands\` lists it meanwhile. Of any other write, read the resource, and use a new key if it was not done. After a
\`retryable\` problem the key may be used again.`;

/** @type {import('../../worker/contract/merchant/commands.ts').QueuedCommand} */
const queuedExample = {
  state: 'queued',
  command: '5d7c6a1e-0b0e-4f57-9c8e-2d6d1f0a7b11',
  place: 3,
  expected_at: '2026-11-22T15:52:20+03:00',
};

/**
 * One operation of the merchant API.
 * @param {string} name
 * @param {Endpoint} row
 */
function merchantOperation(
  name,
  {method, path, group, summary, description, operation, write, command, queues, input, answer, status, codes, example},
) {
  const {named, inPath, rest} = splitInput(path, input);
  const all = [
    ...COMMON_CODES,
    'unauthorized',
    ...INPUT_CODES,
    ...(write ? WRITE_CODES : []),
    ...(command ? COMMAND_CODES : []),
    ...(operation ? PLATFORM_CODES : []),
    ...(write && operation ? ['outcome_unknown'] : []),
    ...codes,
  ];
  const given = Object.fromEntries(
    Object.entries(/** @type {object} */ (example.input)).filter(([field]) => !named.includes(field)),
  );
  const hasBody = method !== 'GET' && !isEmpty(rest);
  return {
    operationId: name,
    tags: [group],
    summary,
    ...(description && {description}),
    security: [{merchantKey: []}],
    requestParams: {
      ...(named.length > 0 && {path: inPath}),
      ...(method === 'GET' && !isEmpty(rest) && {query: rest}),
    },
    ...(write && {parameters: [{$ref: '#/components/parameters/IdempotencyKey'}]}),
    ...(hasBody && {requestBody: {required: true, content: {'application/json': {schema: rest, example: given}}}}),
    responses: {
      [status]: {
        description: status === 201 ? 'Made.' : 'Done.',
        content: {'application/json': {schema: answer, example: example.answer}},
      },
      ...(queues && {
        202: {
          description: 'It will be done another day.',
          content: {'application/json': {schema: QueuedCommand, example: queuedExample}},
        },
      }),
      ...problems(/** @type {ErrorCode[]} */ (all)),
    },
  };
}

/**
 * What of the input stands in the path, and what does not.
 * @param {string} path
 * @param {z.ZodType} input
 */
function splitInput(path, input) {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field);
  if (!(input instanceof z.ZodObject) || named.length === 0) return {named, inPath: z.object({}), rest: input};
  /** @type {Record<string, true>} */
  const mask = Object.fromEntries(named.map((field) => [field, /** @type {const} */ (true)]));
  return {named, inPath: input.pick(mask), rest: input.omit(mask)};
}

/** @param {z.ZodType} schema */
const isEmpty = (schema) => schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0;

/**
 * One operation of the browser API.
 * @param {BrowserEndpointName} name
 */
function browserOperation(name) {
  /** @type {BrowserEndpoint} */
  const {access, session, limit, input, status, codes} = browserEndpoints[name];
  /** @type {BrowserDescription} */
  const {summary, segments, answer, media} = browserDescriptions[name];
  const example = browserExamples[name];
  const content = answer ? {'application/json': {schema: answer, example: example.answer}} : media && {[media]: {}};
  return {
    operationId: name,
    tags: ['Pages'],
    summary,
    security: session ? [{session: []}] : [],
    ...(segments && {requestParams: {path: segments}}),
    ...(input && {
      requestBody: {required: true, content: {'application/json': {schema: input, example: example.input}}},
    }),
    responses: {
      [status]: {description: status === 101 ? 'Switches to a WebSocket.' : 'Done.', ...(content && {content})},
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

const healthExample = {status: 'ok', version, bindings: [], problems: []};

/**
 * Fields of an address show an example too: the operation's own, or the field's.
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
  paths['/health'] = {
    get: {
      operationId: 'showHealth',
      tags: ['Operation'],
      summary: 'Whether the Worker is up, its configuration right and the platform willing.',
      security: [],
      responses: Object.fromEntries(
        [
          [200, 'Well, or degraded.'],
          [503, 'Misconfigured.'],
        ].map(([status, description]) => [
          status,
          {
            description,
            content: {
              'application/json': {
                schema: Health,
                example:
                  status === 200
                    ? healthExample
                    : {...healthExample, status: 'misconfigured', bindings: ['MERCHANT_KEY']},
              },
            },
          },
        ]),
      ),
    },
  };
  const tags = [...new Set([...Object.values(endpoints).map(({group}) => group), 'Pages'])];
  const document = createDocument(
    /** @type {any} */ ({
      openapi: '3.1.0',
      info: {title: 'Vezne', version, description: DESCRIPTION, license: {name: 'MIT', identifier: 'MIT'}},
      servers: [{url: '/', description: 'The Worker that serves this file.'}],
      tags: tags.map((name) => ({name, description: TAGS[name] ?? name})),
      paths,
      components: {
        securitySchemes: {
          merchantKey: {
            type: 'http',
            scheme: 'bearer',
            description: '`MERCHANT_API_KEY`, or its `_PREVIOUS` while it is rotated.',
          },
          session: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'A session: from an offer, or made by the merchant’s server.',
          },
        },
        parameters: {
          IdempotencyKey: {
            name: 'Idempotency-Key',
            in: 'header',
            required: true,
            description: 'A name of this write, of the caller’s own making: up to 255 visible ASCII characters.',
            schema: {type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$'},
            example: 'refund-S-1009-1',
          },
        },
        responses: sharedResponses(),
        headers: {RetryAfter: {description: 'Seconds after which another try may succeed.', schema: {type: 'integer'}}},
      },
    }),
  );
  const made = /** @type {Record<string, Record<string, object>>} */ (document.paths);
  for (const row of Object.values(endpoints))
    addParameterExamples(made[row.path]?.[row.method.toLowerCase()], row.example.input);
  for (const [name, {path, method}] of Object.entries(browserEndpoints))
    addParameterExamples(
      made[path]?.[method.toLowerCase()],
      browserExamples[/** @type {BrowserEndpointName} */ (name)].input ?? {},
    );
  return document;
}

/** @type {Record<string, string>} */
const TAGS = {
  Sessions: 'What a page may do, said by the merchant’s server.',
  'Order codes': 'What shoppers write in the description of a transfer.',
  Transactions: 'Money that arrived.',
  'Payment notices': 'Transfers without a code, told by hand.',
  Refunds: 'Money that goes back.',
  Vendors: 'Who sells on a marketplace.',
  Banks: 'The accounts shoppers pay into.',
  Subscriptions: 'Mobile billing: who is subscribed.',
  Charges: 'Mobile billing: what was charged.',
  Messages: 'Mobile billing: what subscribers were told.',
  'Payment page': 'The platform’s common payment page.',
  Landing: 'The landing pages’ flow, for merchants who build their own.',
  Events: 'What happened: a feed, and webhooks.',
  Operation: 'Whether everything is as it should be.',
  Pages: 'What the elements ask.',
};

/** @param {object} table */
const jsonLines = (table) =>
  `{\n${Object.entries(table)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join(',\n')}\n}`;

/** The document as a file: a line for each path and each schema, so that a change shows where it is. */
export function openApiText() {
  const {paths = {}, components = {}, ...rest} = openApiDocument();
  const {schemas = {}, ...others} = components;
  return `${JSON.stringify(rest).slice(0, -1)},\n"components":${JSON.stringify(others).slice(0, -1)},"schemas":${jsonLines(schemas)}},\n"paths":${jsonLines(paths)}}\n`;
}
