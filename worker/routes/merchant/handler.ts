/** How the merchant API's handlers look. */
import type {EndpointAnswer, EndpointName, ParsedInput} from '../../contract/merchant/endpoints.ts';
import type {RouteContext} from '../routes.ts';
import type {Queued} from './carry-out.ts';

export interface WriteContext extends RouteContext {
  /** Names a write for as long as its `Idempotency-Key` counts, however often it is asked for. A read has a new one each time. */
  readonly writeId: string;
}

/** Gets the checked input, throws `ApiError` or `PlatformError`, and answers in our words. */
export type Handler<N extends EndpointName> = (
  input: ParsedInput<N>,
  context: WriteContext,
  request: Request,
) => Promise<EndpointAnswer<N> | Queued>;

export type Handlers<N extends EndpointName = EndpointName> = {readonly [K in N]: Handler<K>};
