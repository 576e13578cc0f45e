/** How the browser API's handlers look. */

import type {BrowserAnswer} from '../../contract/browser/descriptions.ts';
import type {
  BrowserEndpointName,
  BrowserEndpoints,
  BrowserInput,
  RequiredSession,
} from '../../contract/browser/endpoints.ts';
import type {SessionOf} from '../../session.ts';
import type {RouteContext} from '../route.ts';

type SessionFor<S extends RequiredSession | null> = S extends 'creating'
  ? SessionOf<'payment'>
  : S extends Exclude<RequiredSession, 'creating'>
    ? SessionOf<S>
    : null;

export interface BrowserContext<S extends RequiredSession | null = RequiredSession | null> extends RouteContext {
  /** The verified session of the row's kind. */
  readonly session: SessionFor<S>;
  /** When the request arrived, in epoch milliseconds. */
  readonly receivedAt: number;
}

/** Gets the checked body, throws `ApiError`, and returns the answer; a `raw` row's handler returns the response itself. */
export type BrowserHandler<N extends BrowserEndpointName> = (
  input: BrowserInput<N>,
  context: BrowserContext<BrowserEndpoints[N]['session']>,
  request: Request,
) => Promise<BrowserEndpoints[N] extends {readonly raw: true} ? Response : BrowserAnswer<N>>;

export type BrowserHandlers = {readonly [N in BrowserEndpointName]: BrowserHandler<N>};
