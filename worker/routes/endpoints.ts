/** Makes routes of the contract's rows and their handlers, for pages and for merchants' servers. */

import type {AnswerOf, InputOf, MerchantEndpoint, PageEndpoint} from '../contract/endpoint.ts';
import {json} from '../http/body.ts';
import type {Access} from '../http/cors.ts';
import type {Route, RouteContext} from './route.ts';

type Endpoint = PageEndpoint | MerchantEndpoint;

/**
 * Takes the validated input and returns the body of the answer, or a whole `Response` if it is not JSON or has special
 * headers. Throws `ApiError`.
 */
export type Handler<R extends {readonly input?: unknown; readonly docs: {readonly answer: unknown}}, C> = (
  input: InputOf<R>,
  context: C,
  request: Request,
) => Promise<AnswerOf<R> | Response>;

/** An endpoint with its handler. */
export interface Served<E extends Endpoint, C> {
  readonly name: string;
  readonly row: E;
  readonly handle: (input: unknown, context: C, request: Request) => Promise<unknown>;
}

/**
 * The routes of an API.
 * @param access - Of rows that do not say it.
 * @param serve - What the API does between a request and its answer: it checks the caller, reads the input, and calls
 * the handler.
 */
export function routesOf<E extends Endpoint, C>(
  rows: Readonly<Record<string, E>>,
  handlers: object,
  access: Access,
  serve: (endpoint: Served<E, C>, request: Request, context: RouteContext) => Promise<Response>,
): Route[] {
  return Object.entries(handlers as Readonly<Record<string, Served<E, C>['handle']>>).flatMap(([name, handle]) => {
    const row = rows[name] as E;
    const route: Route = {
      access,
      isPersonal: 'session' in row,
      ...row,
      handle: (request, context) => serve({name, row, handle}, request, context),
    };
    // The router uses the first path that fits, and `{day}` would fit a name with `.csv`, too.
    return 'csv' in row ? [{...route, path: `${row.path}.csv`}, route] : [route];
  });
}

/** The response with a handler's answer. */
export function toResponse(answer: unknown, {status}: Endpoint): Response {
  return answer instanceof Response ? answer : json(answer, {status});
}
