import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions} from '../options.ts';
import {Search} from '../pagination.ts';
import {Resource} from './resource.ts';

/** Mobile billing: messages sent to subscribers. */
export class Messages extends Resource {
  /**
   * Searches the messages sent to subscribers: `POST /merchant/v1/messages/search` (subscriptions 4.A). A search may
   * have up to three criteria, three sort columns and 100 items per page.
   * @throws {VezneError} `unknown_service` `quota_exhausted` `rate_limited`
   */
  search(input: Inputs['searchMessages'], options?: CallOptions): Search<Answers['searchMessages']> {
    return new Search((cursor) =>
      this.call('searchMessages', cursor === undefined ? input : {...input, cursor}, options),
    );
  }
}
