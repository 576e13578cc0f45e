// @ts-check
// The section `webhooks` of the API description: what the Worker sends to a server, and how the server verifies it.

import {eventExample} from '../../worker/contract/merchant/event-feed.ts';
import {MerchantEvent} from '../../worker/contract/merchant/events.ts';

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

/** @type {Record<string, [name: string, description: string, example: string]>} */
const HEADERS = {
  WebhookId: ['webhook-id', 'The event’s id. Store it: an event may arrive more than once.', eventExample.id],
  WebhookTimestamp: [
    'webhook-timestamp',
    'When it was signed, in seconds. Refuse a difference of more than 300.',
    '1795264927',
  ],
  WebhookSignature: ['webhook-signature', SIGNATURE, 'v1,SGTwJthrf3F14rEXXr9RYjwBi8EY44Z3UScoaG7IG18='],
};
/** The headers of a webhook, as shared parameters. */
export const webhookHeaders = () =>
  Object.fromEntries(
    Object.entries(HEADERS).map(([id, [name, description, example]]) => [
      id,
      {name, in: 'header', required: true, description, schema: {type: 'string'}, example},
    ]),
  );

const DESCRIPTION =
  'The Worker sends each event to `WEBHOOK_URL` and to the webhooks that your server created, until the server accepts ' +
  'it. Events of one order arrive one after another.';

export const webhooks = () => ({
  event: {
    post: {
      operationId: 'receiveEvent',
      tags: ['Events'],
      summary: 'Receives one event; its `type` says which.',
      description: DESCRIPTION,
      security: [],
      parameters: Object.keys(HEADERS).map((id) => ({$ref: `#/components/parameters/${id}`})),
      requestBody: {required: true, content: {'application/json': {schema: MerchantEvent, example: eventExample}}},
      responses: {
        '2XX': {description: 'Stored. The Worker waits 15 seconds for this status, and does not read the body.'},
        410: {description: 'The server does not want the event. After any other status, the Worker sends it again.'},
      },
    },
  },
});
