// @ts-check
// Texts of the API description: its introduction, a sentence for each group of endpoints, and the key that is needed.

/** @type {Record<string, string>} */
export const TAGS = {
  Sessions: 'Tokens that define what a page may do.',
  'Order codes': 'Codes that shoppers write in the description of a transfer.',
  Orders: 'What the Worker knows about an order.',
  Transactions: 'Transfers that arrived.',
  'Payment notices': 'Shoppers’ reports of transfers without an order code.',
  Refunds: 'Money sent back to shoppers.',
  Vendors: 'Sellers on a marketplace.',
  Banks: 'Bank accounts that shoppers pay into.',
  Subscriptions: 'Mobile billing: subscriptions of mobile numbers.',
  Charges: 'Mobile billing: charges to a phone bill.',
  Messages: 'Mobile billing: messages sent to subscribers.',
  'Payment page': 'The platform’s payment page.',
  Landing: 'The steps of a landing page, for merchants who build their own landing pages.',
  Events: 'Events, which the merchant’s server can list and the Worker sends to a webhook.',
  Webhooks: 'Where the Worker sends events.',
  'API keys': 'Keys with scopes, one for each of the merchant’s servers.',
  Operation: 'The state of the Worker and its configuration.',
  Pages: 'Requests of the elements.',
};

export const DESCRIPTION = `Bank transfers and mobile subscriptions for any web page.

The **merchant API** is for servers. Its requests carry \`Authorization: Bearer <key>\`; a page must never call it. The key is the root key, \`MERCHANT_API_KEY\`,
or an API key that was made with it and has the scope of the endpoint. The **browser API** is for the elements. Most of its requests carry a session. The
notifications of the payment platform (\`/hooks/…\`) are not described here, because only the platform sends them and it defines their format. \`docs/deploy.md\` says how to register the URLs of notifications at the platform.

Amounts are decimal strings in \`TRY\`, times are ISO 8601 with \`+03:00\`, and ids are strings. Every error is a problem (RFC 9457) with a stable \`code\`;
\`retryable\` says whether the same request may succeed later.

Every write carries an \`Idempotency-Key\`. For 72 hours, a request with the same key and the same input gets the same answer, and a repeated answer carries
\`Idempotency-Replayed: true\`. If the replayed session is more than halfway to expiry, the answer carries a new token. A request with the same key and a different input gets 422. While the first request is still running, a repeated request gets
409. If the Worker cannot know whether a write was done, the answer is \`outcome_unknown\` (504). A write with one key is never done twice.

A write that moves money or ends something is a command. If its outcome is unknown, the Worker checks the platform until the outcome is known. Meanwhile
\`GET /merchant/v1/commands\` lists the command; afterwards a request with the same key gets the outcome. For all other writes, read the resource after
\`outcome_unknown\`, and repeat the write with a new key if it was not done. After a \`retryable\` problem, you can use the same key again.`;

/** @param {import('../../worker/contract/merchant/endpoint.ts').Endpoint['scope']} scope */
export const needs = (scope) =>
  `Needs the root key${scope === 'root' ? '' : `, or an API key with the scope \`${scope}\``}.`;
