/**
 * The router of the merchant API. More than half of all schemas are in the contract of this API, and shoppers never use
 * it. An isolate loads the contract when a merchant's server calls for the first time, so that the isolate starts faster.
 */

import {contextOf} from '../../context.ts';
import {type Call, type CallRouter, routerOf} from '../routing.ts';
import {merchantRoutes} from './api.ts';
import {authenticateServer} from './auth.ts';
import {showDoctor} from './doctor.ts';

const loadEndpoints = async () => (await import('../../contract/merchant/endpoints.ts')).endpoints;
let router: CallRouter | undefined;

/** Whoever calls needs a key, also to learn whether there is a route. */
export async function answerMerchant(call: Call): Promise<Response> {
  // This caches the router and not its promise, because a request must not wait for work that another request started.
  router ??= routerOf(merchantRoutes(await loadEndpoints()), {before: [authenticate]});
  return router.fetch(call);
}

/** The doctor works without a valid configuration. */
export async function answerDoctor(call: Call): Promise<Response> {
  const {request, env} = call;
  call.row = {path: '/merchant/v1/doctor'};
  const {examine} = await loadEndpoints();
  return showDoctor(examine, request, new URL(request.url), env);
}

async function authenticate(call: Call): Promise<void> {
  call.caller = await authenticateServer(call.request, contextOf(call.env));
}
