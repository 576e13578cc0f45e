/** The router of the merchant API. An isolate loads it when a merchant's server calls for the first time. */

import {contextOf} from '../../context.ts';
import {endpoints} from '../../contract/merchant/endpoints.ts';
import {type Call, routerOf} from '../routing.ts';
import {merchantRoutes} from './api.ts';
import {authenticateServer} from './auth.ts';
import {showDoctor} from './doctor.ts';

async function authenticate(call: Call): Promise<void> {
  call.caller = await authenticateServer(call.request, contextOf(call.env));
}

/** Whoever calls needs a key, also to learn whether there is a route. */
export const merchantRouter = routerOf(merchantRoutes(endpoints), {before: [authenticate]});

/** The doctor works without a valid configuration. */
export function answerDoctor({request, env}: Call): Promise<Response> {
  return showDoctor(endpoints.examine, request, new URL(request.url), env);
}
