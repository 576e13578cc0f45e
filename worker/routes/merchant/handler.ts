/** What all handlers of the merchant API share: their types, and the answer of a queued command. */

import type {QueuedCommand} from '../../contract/merchant/commands.ts';
import type {EndpointName, Endpoints} from '../../contract/merchant/endpoints.ts';
import {json} from '../../http/body.ts';
import {formatInstant} from '../../lib/time.ts';
import type {QueuePosition} from '../../objects/platform/quota.ts';
import type {Handler} from '../endpoints.ts';
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

/** The handlers. They throw `ApiError` or `PlatformError`. */
export type Handlers = {readonly [N in EndpointName]: Handler<Endpoints[N], WriteContext>};

/** How a write runs its command: once for all requests with the same `Idempotency-Key`. */
export const commandOf = ({writeId, isReplay, caller}: WriteContext) => ({id: writeId, askedBy: caller.id, isReplay});

/** The answer `202` for a command that waits until the platform's daily limit resets. */
export function queued(commandId: string, position: QueuePosition | null): Response {
  return json<QueuedCommand>(
    {
      state: 'queued',
      command_id: commandId,
      queue_position: position?.position ?? null,
      expected_at: position && formatInstant(position.expectedAt),
    },
    {status: 202},
  );
}
