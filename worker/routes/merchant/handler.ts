/** The types of the merchant API's handlers. */

import type {QueuedCommand} from '../../contract/merchant/commands.ts';
import type {EndpointAnswer} from '../../contract/merchant/endpoints.ts';
import type {EndpointName, ParsedInput} from '../../contract/merchant/endpoints.ts';
import {formatInstant} from '../../lib/time.ts';
import type {QueuePosition} from '../../objects/platform/quota.ts';
import type {Caller, RouteContext} from '../route.ts';

export interface WriteContext extends RouteContext {
  readonly caller: Caller;
  /** Id of a write: the same for all requests with the same `Idempotency-Key`. Each read has a new id. */
  readonly writeId: string;
  /**
   * Whether the write was already answered. If so, the write's command must not run again, but only report its outcome.
   */
  readonly isReplay: boolean;
}

/** Takes the validated input and returns the body of the answer. It throws `ApiError` or `PlatformError`. */
export type Handler<N extends EndpointName> = (
  input: ParsedInput<N>,
  context: WriteContext,
  request: Request,
) => Promise<EndpointAnswer<N> | QueuedAnswer | Response>;

export type Handlers<N extends EndpointName = EndpointName> = {readonly [K in N]: Handler<K>};

/** The answer `202` for a command that waits until the platform's daily limit resets. */
export class QueuedAnswer {
  readonly body: QueuedCommand;

  constructor(commandId: string, position: QueuePosition | null) {
    this.body = {
      state: 'queued',
      command_id: commandId,
      queue_position: position?.position ?? null,
      expected_at: position && formatInstant(position.expectedAt),
    };
  }
}
