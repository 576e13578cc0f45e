/** `vezne/merchant`: the merchant API and its webhooks, for servers on Node, Deno, Bun and Workers. */
export {Vezne} from './generated/client.ts';
export type {CallOptions, Fetch, VezneOptions, WriteOptions} from './options.ts';
export {type ClientErrorCode, VezneConnectionError, VezneError} from './errors.ts';
export type {Search} from './pagination.ts';
export {type SignedWebhook, verifyWebhook} from './webhooks.ts';
export {WebhookError, type WebhookErrorCode} from './errors.ts';
export type * from './generated/contract.ts';
