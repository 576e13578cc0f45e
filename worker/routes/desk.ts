/**
 * The desk, `/desk`: pages for the people of a shop. The files are static. The Worker exchanges an API key for a cookie,
 * and answers `GET /desk/api/<path>` as it answers `GET /merchant/v1/<path>` to a key that may only read.
 *
 * Scripts of other pages of this origin could use the cookie, because a cookie belongs to an origin. So each request also
 * needs a token, which stands only in the desk's own document, and only if the browser says that it opens a document. No
 * script can read that document: `_headers` forbids to frame it, and cuts it off from the page that opened it.
 */

import {limitConfig} from '../config/service-limit.ts';
import {type Context, contextOf} from '../context.ts';
import {readBody} from '../http/body.ts';
import {READ_METHODS} from '../http/cors.ts';
import {ApiError} from '../http/errors.ts';
import {recordWithRetry} from '../lib/async.ts';
import {deriveText, isSameSecret, randomText} from '../lib/crypto.ts';
import {HOUR_MS} from '../lib/durations.ts';
import {keptBy, readOnce} from './kept-reads.ts';
import {answerMerchant} from './merchant/api.ts';
import {authenticateServer, requireScope} from './merchant/auth.ts';
import {findKeyById} from './merchant/known-keys.ts';
import {misconfigured} from './problems.ts';
import type {Caller} from './route.ts';
import type {Call} from './routing.ts';

const SESSION_MS = 8 * HOUR_MS;
const MAX_FORM_BYTES = 4_096;
const COOKIES = /(?<=^|; )vezne_desk=((\w+)\.(\d+)\.\w+)\.(\w+)(?=;|$)/g;
/** The build writes the document with this placeholder. */
const PLACEHOLDER = '__VEZNE_DESK__';

/** A person who is signed in. */
interface DeskSession {
  /** Names the session: the id of the key, the end and random text. */
  readonly name: string;
  readonly until: number;
  readonly caller: Caller;
  readonly token: string;
}

export async function answerDesk(call: Call): Promise<Response> {
  const {request, env, method} = call;
  const context = contextOf(env);
  const {desk, isSandbox} = context.config;
  const {origin, pathname, search} = new URL(request.url);
  const found = /^\/desk(?:\/(?:api\/(.+))?)?$/.exec(pathname);
  const path = found?.[1];
  call.row = {path: path ? '/desk/api/*' : '/desk'};
  if (!found || desk === 'off' || (desk === null && !isSandbox)) throw new ApiError('not_found');
  if (!path) return showDesk(request, context, env);
  if (path === 'sign-in' && method === 'POST') return signIn(call, context, origin);
  const session = await openSession(request, context);
  if (!session || !isSameSecret(session.token, request.headers.get('vezne-desk') ?? ''))
    throw new ApiError('unauthorized');
  call.caller = session.caller;
  if (path === 'sign-out' && method === 'POST') return signOut(session, context);
  if (!READ_METHODS.includes(method)) throw new ApiError('method_not_allowed', {allow: READ_METHODS});
  const url = `${origin}/merchant/v1/${path}`;
  return answerMerchant(Object.assign(call, {url, request: new Request(url + search, request)}));
}

/** The document. Only a navigation gets the token. */
async function showDesk(request: Request, context: Context, env: Env): Promise<Response> {
  const session = request.headers.get('sec-fetch-dest') === 'document' ? await openSession(request, context) : null;
  const file = await env.ASSETS.fetch('https://assets.invalid/desk/page.txt');
  if (!file.ok) throw misconfigured('ASSETS');
  const data = session && {
    token: session.token,
    key: session.caller.id,
    limited: session.caller.services !== null,
    services: [...limitConfig(context.config, session.caller.services).services.keys()],
  };
  const page = new Response((await file.text()).replace(PLACEHOLDER, encodeURIComponent(JSON.stringify(data))), file);
  page.headers.delete('etag');
  page.headers.set('content-type', 'text/html; charset=utf-8');
  return page;
}

/** POST /desk/api/sign-in: a form of the document, so that no script reads the key. */
async function signIn(call: Call, context: Context, origin: string): Promise<Response> {
  const {request} = call;
  if (request.headers.get('origin') !== origin) throw new ApiError('origin_not_allowed');
  const key = new URLSearchParams(await readBody(request, MAX_FORM_BYTES)).get('key') ?? '';
  try {
    const caller = await authenticateServer(request, context, key.trim());
    // A person needs no key that may do everything, except in the sandbox, which has no other.
    if (caller.id === 'root' && !context.config.isSandbox) throw new ApiError('unauthorized');
    requireScope('read', caller);
    call.caller = caller;
    const name = `${caller.id}.${Date.now() + SESSION_MS}.${randomText(16)}`;
    return seeDesk(`${name}.${await sign(context, 'desk cookie', name)}`, SESSION_MS);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    call.code = error.code;
    return seeDesk('', 0, `?problem=${error.code}`);
  }
}

/** POST /desk/api/sign-out: the cookie is refused from now on, also in a copy of it, if that can be stored. */
async function signOut({name, until}: DeskSession, {objects}: Context): Promise<Response> {
  const end = {kind: 'ended'} as const;
  keptBy(objects).set(`desk ${name}`, end, until);
  await recordWithRetry('desk', () => objects.details(`desk ${name}`).saveDetails(end, until));
  return seeDesk('', 0);
}

function seeDesk(cookie: string, maxAgeMs: number, query = ''): Response {
  return new Response(null, {
    status: 303,
    headers: {
      location: `/desk/${query}`,
      'cache-control': 'no-store',
      'set-cookie': `vezne_desk=${cookie}; Path=/desk; Max-Age=${maxAgeMs / 1000}; HttpOnly; Secure; SameSite=Strict`,
    },
  });
}

const sign = ({config}: Context, purpose: string, text: string) =>
  deriveText(config.sessionSecrets[0], purpose, text, 32);

/** The session of a request's cookie. It ends with its key, and when somebody has signed out. */
async function openSession({headers}: Request, context: Context): Promise<DeskSession | null> {
  const {config} = context;
  // Without a root key, the merchant API is off, for all keys.
  if (config.merchantApiKeys.length === 0) return null;
  // A script of another page of the origin may have set a cookie of the same name.
  for (const [, name = '', id = '', end, signature = ''] of (headers.get('cookie') ?? '').matchAll(COOKIES)) {
    const until = Number(end);
    if (until > Date.now() && isSameSecret(signature, await sign(context, 'desk cookie', name)))
      return readSession({name, id, until}, context);
  }
  return null;
}

async function readSession(
  {name, id, until}: {readonly name: string; readonly id: string; readonly until: number},
  context: Context,
): Promise<DeskSession | null> {
  const {config, objects} = context;
  const root = config.isSandbox && id === 'root' ? {services: null} : null;
  const key = root ?? (await findKeyById(id, context));
  const readEnd = (): Promise<unknown> => objects.details(`desk ${name}`).readDetails();
  if (!key || (await readOnce(objects, `desk ${name}`, readEnd))) return null;
  const caller = {id, scopes: new Set(['read'] as const), services: key.services};
  return {name, until, caller, token: await sign(context, 'desk page', name)};
}
