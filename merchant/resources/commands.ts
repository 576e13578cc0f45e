import type {Answers, Inputs} from '../contract.ts';
import type {CallOptions} from '../options.ts';
import {Search} from '../pagination.ts';
import {Resource} from './resource.ts';

/** Commands: writes that move money or end something, and their outcomes. */
export class Commands extends Resource {
  /**
   * Lists refunds, cancellations, resets and completions, oldest first: `GET /merchant/v1/commands`. With `state:
   * 'unknown'` it lists the commands whose outcome is unknown. The Worker checks these commands until it knows their
   * outcome.
   * @throws {VezneError} `unknown_service`
   */
  list(input: Inputs['listCommands'] = {}, options?: CallOptions): Search<Answers['listCommands']> {
    return new Search((cursor) =>
      this.call('listCommands', cursor === undefined ? input : {...input, cursor}, options),
    );
  }
}
