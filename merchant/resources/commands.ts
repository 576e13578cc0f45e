import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions} from '../options.ts';
import {Search} from '../pagination.ts';
import {Resource} from './resource.ts';

/** What moves money or ends something, and what became of it. */
export class Commands extends Resource {
  /**
   * Refunds, cancellations, resets and completions, oldest first: `GET /merchant/v1/commands`. With `state: 'unknown'`
   * those of which nobody knows whether they were done; they are looked for until it is known.
   * @throws {VezneError} `unknown_service`
   */
  list(input: Inputs['listCommands'] = {}, options?: CallOptions): Search<Answers['listCommands']> {
    return new Search((cursor) =>
      this.call('listCommands', cursor === undefined ? input : {...input, cursor}, options),
    );
  }
}
