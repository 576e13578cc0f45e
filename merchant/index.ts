/** `vezne/merchant`: the merchant API and its webhooks, for servers on Node, Deno, Bun and Workers. */
export {Vezne} from './vezne.ts';
export type {CallOptions, Fetch, VezneOptions, WriteOptions} from './options.ts';
export {type ClientErrorCode, VezneConnectionError, VezneError} from './vezne-error.ts';
export type {Search} from './search.ts';
export {type SignedWebhook, verifyWebhook} from './verify-webhook.ts';
export {WebhookError, type WebhookErrorCode} from './webhook-error.ts';
export type * from './contract.ts';
