import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions, WriteOptions} from '../options.ts';
import {Search} from '../pagination.ts';
import {Resource} from './resource.ts';

/** Reads events. For events that the Worker sends to your server, use `verifyWebhook`. */
export class Events extends Resource {
  /**
   * Lists the events after a cursor, oldest first: `GET /merchant/v1/events`. The Worker keeps events for 30 days. The
   * events of one order are in the order in which they happened. Read page by page, and save each page’s `next_cursor`
   * after you have processed the page’s events. The next time, pass the saved cursor as `cursor`. With `service` and
   * `order`, the list has only the events of this order; with `type`, only events of this type. With `from: 'now'`, the
   * answer has no events, only a cursor for future events.
   *
   * ```ts
   * for await (const {items, next_cursor} of vezne.events.list({cursor}).pages()) …
   * ```
   */
  list(input: Inputs['listEvents'] = {}, options?: CallOptions): Search<Answers['listEvents']> {
    const {from: _, after: __, ...filter} = input;
    return new Search((cursor) => this.call('listEvents', cursor === undefined ? input : {...filter, cursor}, options));
  }

  /**
   * Gets an event: `GET /merchant/v1/events/{id}`.
   * @throws {VezneError} `not_found`
   */
  get(input: Inputs['getEvent'], options?: CallOptions): Promise<Answers['getEvent']> {
    return this.call('getEvent', input, options);
  }

  /** Lists events that a webhook did not accept within three days, oldest first: `GET /merchant/v1/events/dead`. */
  listDead(input: Inputs['listDeadEvents'] = {}, options?: CallOptions): Search<Answers['listDeadEvents']> {
    return new Search((cursor) => this.call('listDeadEvents', cursor === undefined ? input : {cursor}, options));
  }

  /**
   * Sends an event to the webhooks again, even if it was delivered before: `POST /merchant/v1/events/{id}/resend`.
   * @throws {VezneError} `not_found` `not_configured`
   */
  resend(input: Inputs['resendEvent'], options?: WriteOptions): Promise<Answers['resendEvent']> {
    return this.call('resendEvent', input, options);
  }
}
