/** How the merchant API's handlers look. */
import type {EndpointAnswer, EndpointName, ParsedInput} from '../../contract/merchant/endpoints.ts';
import type {RouteContext} from '../routes.ts';

/** Gets the checked input, throws `ApiError` or `PlatformError`, and answers in our words. */
export type Handler<N extends EndpointName> = (input: ParsedInput<N>, context: RouteContext, request: Request) => Promise<EndpointAnswer<N>>;

export type Handlers<N extends EndpointName = EndpointName> = {readonly [K in N]: Handler<K>};
