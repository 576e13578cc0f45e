// @ts-check
// The parts of the API description that no row of the contract describes: its introduction, the page scripts, the pages
// of offers, `/health` and metrics, and the webhooks that the Worker sends.

import {Health} from '../../worker/contract/browser/answers.ts';
import {eventExample} from '../../worker/contract/merchant/event-feed.ts';
import {MerchantEvent} from '../../worker/contract/merchant/events.ts';
import {version} from '../lib/repo.mjs';

export const INTRODUCTION = `Bank transfers and mobile subscriptions for any web page.

The **merchant API** is for servers. Its requests carry \`Authorization: Bearer <key>\`; a page must never call it. The key is the root key, \`MERCHANT_API_KEY\`,
or an API key that was made with it and has the scope of the endpoint. The **browser API** is for the elements. Most of its requests carry a session. The
notifications of the payment platform (\`/hooks/…\`) are not described here, because only the platform sends them and it defines their format. \`docs/deploy.md\` says how to register the URLs of notifications at the platform.

Amounts are decimal strings in \`TRY\`, times are RFC 3339, in answers to the second with \`+03:00\`, and ids are strings. Every error is a problem (RFC 9457) with a stable \`code\`;
\`retryable\` says whether the same request may succeed later.

Every write carries an \`Idempotency-Key\`. For 72 hours, a request with the same key and the same input gets the same answer, and a repeated answer carries
\`Idempotency-Replayed: true\`. If the replayed session is more than halfway to expiry, the answer carries a new token. A request with the same key and a different input gets 422. While the first request is still running, a repeated request gets
409. If the Worker cannot know whether a write was done, the answer is \`outcome_unknown\` (504). A write with one key is never done twice.

A write that moves money or ends something is a command. If its outcome is unknown, the Worker checks the platform until the outcome is known. Meanwhile
\`GET /merchant/v1/commands\` lists the command; afterwards a request with the same key gets the outcome. For all other writes, read the resource after
\`outcome_unknown\`, and repeat the write with a new key if it was not done. After a \`retryable\` problem, you can use the same key again.`;

export const SECURITY_SCHEMES = {
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
};

const SIGNATURE = `\`v1,\` and the base64 of an HMAC-SHA256 over \`<webhook-id>.<webhook-timestamp>.<body>\`, with the body as it arrived. The key is
what follows \`whsec_\` in the webhook’s secret, decoded from base64; a secret without \`whsec_\` is the key itself. While a secret is rotated, there are two
signatures with a space between them, and one that is right is enough. Compare in constant time. In TypeScript, \`verifyWebhook\` of \`vezne/merchant\` and
the libraries for [Standard Webhooks](https://www.standardwebhooks.com) do all of this. In PHP:

\`\`\`php
$key = base64_decode(substr($secret, strlen('whsec_')));
$right = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
$isValid = abs(time() - (int) $timestamp) <= 300
    && array_filter(explode(' ', $signature), fn ($given) => hash_equals($right, $given)) !== [];
\`\`\``;

/** @param {string} name @param {string} description @param {string} example @param {object} [schema] */
const header = (name, description, example, schema) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: {type: 'string', ...schema},
  example,
});

/** Parameters that several operations share. */
export const PARAMETERS = {
  IdempotencyKey: header(
    'Idempotency-Key',
    'A key that the caller chooses for this write: up to 255 visible ASCII characters.',
    'refund-S-1009-1',
    {minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$'},
  ),
  WebhookId: header(
    'webhook-id',
    'The event’s id. Store it: an event may arrive more than once.',
    /** @type {{id: string}} */ (eventExample).id,
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When it was signed, in seconds. Refuse a difference of more than 300.',
    '1795264927',
  ),
  WebhookSignature: header('webhook-signature', SIGNATURE, 'v1,SGTwJthrf3F14rEXXr9RYjwBi8EY44Z3UScoaG7IG18='),
};

export const webhooks = () => ({
  event: {
    post: {
      operationId: 'receiveEvent',
      tags: ['Events'],
      summary: 'Receives one event; its `type` says which.',
      description:
        'The Worker sends each event to `WEBHOOK_URL` and to the webhooks that your server created, until the server ' +
        'accepts it. Events of one order arrive one after another.',
      security: [],
      parameters: Object.keys(PARAMETERS)
        .filter((name) => name.startsWith('Webhook'))
        .map((name) => ({$ref: `#/components/parameters/${name}`})),
      requestBody: {required: true, content: {'application/json': {schema: MerchantEvent, example: eventExample}}},
      responses: {
        '2XX': {description: 'Stored. The Worker waits 15 seconds for this status, and does not read the body.'},
        410: {description: 'The server does not want the event. After any other status, the Worker sends it again.'},
      },
    },
  },
});

const text = (/** @type {string} */ media) => ({description: 'Done.', content: {[media]: {schema: {type: 'string'}}}});

/** @param {string} operationId @param {string} tag @param {string} summary @param {object} rest */
const get = (operationId, tag, summary, rest) => ({get: {operationId, tags: [tag], summary, security: [], ...rest}});

/**
 * The operations by path. They have no row in the contract because the Worker also answers with a wrong configuration,
 * or because their answers are no JSON.
 * @param {(codes: readonly import('./openapi-problems.mjs').ErrorCode[]) => object} problemsOf
 * @param {readonly import('./openapi-problems.mjs').ErrorCode[]} codes
 */
export function unlistedPaths(problemsOf, codes) {
  /** @param {string} name @param {string} offer @param {string} content */
  const script = (name, offer, content) =>
    get(`${name}Script`, 'Pages', `${content}, as one JavaScript module.`, {
      description:
        'Any page may load the module, which is the same for every shopper. It also works while the platform does not ' +
        'answer. A request with `If-None-Match` gets 304 if nothing has changed.',
      parameters: [
        {
          name: 'offer',
          in: 'query',
          description: 'An offer, whose public terms the module then contains. Any other text is ignored.',
          schema: {type: 'string'},
          example: offer,
        },
      ],
      responses: {200: text('text/javascript'), 304: {description: 'Not modified.'}, ...problemsOf(codes)},
    });
  const lang = {type: 'string', enum: ['tr', 'en']};
  return {
    '/checkout.js': script('checkout', 'gold', 'The elements of a checkout and the bank list'),
    '/subscribe.js': script('subscribe', 'club', 'The elements with which numbers subscribe'),
    '/p/{name}': get('offerPage', 'Pages', 'The page of an offer, in Turkish or English.', {
      description: 'The link that a merchant sends. Problems are pages too.',
      parameters: [
        {name: 'name', in: 'path', required: true, schema: {type: 'string'}, example: 'gold'},
        {name: 'lang', in: 'query', description: 'By default the browser’s.', schema: lang, example: 'en'},
      ],
      responses: {200: text('text/html'), default: {...text('text/html'), description: 'A problem.'}},
    }),
    '/health': get(
      'showHealth',
      'Operation',
      'Shows whether the Worker runs, its configuration is valid and the platform answers.',
      {
        responses: {
          200: health('Healthy, or degraded in a way that ends by itself.', {}),
          503: health('Misconfigured, or degraded so that the operator has to act.', {
            status: 'misconfigured',
            bindings: ['MERCHANT_KEY'],
          }),
        },
      },
    ),
    '/merchant/v1/metrics': get(
      'showMetrics',
      'Operation',
      'Shows metrics for a monitor such as Prometheus (docs/observability).',
      {
        security: [{merchantKey: []}],
        responses: {200: text('application/openmetrics-text'), ...problemsOf([...codes, 'unauthorized'])},
      },
    ),
  };
}

/** @param {string} description @param {object} differing */
function health(description, differing) {
  const example = {status: 'ok', version, bindings: [], webhooks: [], problems: [], notices: [], ...differing};
  return {description, content: {'application/json': {schema: Health, example}}};
}
