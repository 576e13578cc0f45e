import type {SubscriptionTerms} from '../../contract/browser/subscription-answers.ts';
import {json} from '../../http/json.ts';
import type {RouteContext} from '../route.ts';
import {sessionOf} from './auth.ts';
import {describeTerms} from './subscription-terms.ts';

/** GET /v1/session: what a subscription session is about, for a page whose session a merchant's server made. */
export async function showSession(request: Request, context: RouteContext): Promise<Response> {
  const session = await sessionOf(request, context, {kind: 'subscription'});
  return json<SubscriptionTerms>(await describeTerms(session, context));
}
