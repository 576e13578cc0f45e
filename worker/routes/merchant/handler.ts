/** How the merchant API's handlers look. */

import type {EndpointAnswer} from '../../contract/merchant/descriptions.ts';
import type {QueuedCommand} from '../../contract/merchant/descriptions/commands.ts';
import type {EndpointName, ParsedInput} from '../../contract/merchant/endpoints.ts';
import {formatInstant} from '../../lib/time.ts';
import type {QueuePosition} from '../../objects/limits/quota.ts';
import type {RouteContext} from '../route.ts';

export interface WriteContext extends RouteContext {
  /** Names a write for as long as its `Idempotency-Key` counts, however often it is asked for. A read has a new one each time. */
  readonly writeId: string;
}

/** Gets the checked input, throws `ApiError` or `PlatformError`, and answers in our words. */
export type Handler<N extends EndpointName> = (
  input: ParsedInput<N>,
  context: WriteContext,
  request: Request,
) => Promise<EndpointAnswer<N> | QueuedAnswer>;

export type Handlers<N extends EndpointName = EndpointName> = {readonly [K in N]: Handler<K>};

/** An answer that comes another day: `202`. */
export class QueuedAnswer {
  readonly body: QueuedCommand;

  constructor(command: string, position: QueuePosition | null) {
    this.body = {
      state: 'queued',
      command,
      place: position?.position ?? null,
      expected_at: position && formatInstant(position.expectedAt),
    };
  }
}
