import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions, WriteOptions} from '../options.ts';
import {Search} from '../pagination.ts';
import {Resource} from './resource.ts';

/** API keys with scopes. Only a client with the root key, `MERCHANT_API_KEY`, may call these methods. */
export class Keys extends Resource {
  /**
   * Makes an API key: `POST /merchant/v1/keys`. Only this answer contains the `key`, so store it immediately. If you
   * repeat the call with the same idempotency key within 72 hours, the answer has the same API key. The scopes:
   *
   * - `sessions`: sessions, order codes, payment pages, payment notices, vendor forms, landing pages.
   * - `read`: all methods that only read.
   * - `money`: refunds, cancellations, completions, changes of orders.
   * - `webhooks`: the webhooks, which receive events.
   * @throws {VezneError} `key_limit_reached`
   */
  create(input: Inputs['createKey'], options?: WriteOptions): Promise<Answers['createKey']> {
    return this.call('createKey', input, options);
  }

  /** Lists the valid API keys and those revoked in the last 400 days, newest first: `GET /merchant/v1/keys`. */
  list(options?: CallOptions): Search<Answers['listKeys']> {
    return new Search(() => this.call('listKeys', {}, options));
  }

  /**
   * Revokes an API key: `POST /merchant/v1/keys/{id}/revoke`. The key is refused everywhere within 30 seconds.
   * @throws {VezneError} `not_found`
   */
  revoke(input: Inputs['revokeKey'], options?: WriteOptions): Promise<Answers['revokeKey']> {
    return this.call('revokeKey', input, options);
  }
}
