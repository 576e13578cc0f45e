import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions, WriteOptions} from '../options.ts';
import {Search} from '../pagination.ts';
import {Resource} from './resource.ts';

/** What happened, read instead of sent; `verifyWebhook` is for what is sent. */
export class Events extends Resource {
  /**
   * What happened after a cursor, oldest first: `GET /merchant/v1/events`. Events are kept for 30 days; all that happens
   * to one order comes in order. Read page by page and keep each page’s `next_cursor` once its events are dealt with: it
   * is the `after` of the next time.
   *
   * ```ts
   * for await (const {items, next_cursor} of vezne.events.list({after}).pages()) …
   * ```
   */
  list(input: Inputs['listEvents'] = {}, options?: CallOptions): Search<Answers['listEvents']> {
    return new Search((after) => this.call('listEvents', after === undefined ? input : {after}, options));
  }

  /** Events that `WEBHOOK_URL` did not take in three days, oldest first: `GET /merchant/v1/events/dead`. */
  listDead(input: Inputs['listDeadEvents'] = {}, options?: CallOptions): Search<Answers['listDeadEvents']> {
    return new Search((after) => this.call('listDeadEvents', after === undefined ? input : {after}, options));
  }

  /**
   * Sends an event to `WEBHOOK_URL` again, a dead one or one that was delivered: `POST /merchant/v1/events/{id}/resend`.
   * @throws {VezneError} `not_found` `not_configured`
   */
  resend(input: Inputs['resendEvent'], options?: WriteOptions): Promise<Answers['resendEvent']> {
    return this.call('resendEvent', input, options);
  }
}
