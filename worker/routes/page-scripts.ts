/**
 * `GET /checkout.js` and `GET /subscribe.js`: a module with elements and the public terms of the offer that the URL
 * names. `/checkout.js` also contains the bank list. The module is the same for every shopper. Only a page whose origin is
 * not allowed gets a module without data.
 */

import {version} from '../../package.json';
import {isOutsideLoopback} from '../config/variables.ts';
import type {PageDataPlaceholder} from '../contract/browser/page-data.ts';
import {toHex, utf8} from '../lib/crypto.ts';
import {readCheckoutData, readSubscribeData, type ScriptData} from './page-script-data.ts';
import {misconfigured} from './problems.ts';

export type PageScript = 'checkout' | 'subscribe';

/** A browser uses its copy for a minute. For five more minutes it uses the copy while it asks for a newer copy. */
const CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=300';
/** Without current data, a browser asks every time, so that it gets the data as soon as the Worker has it. */
const CACHE_CONTROL_WITHOUT_LIST = 'public, no-cache';

/** What a tag without `type="module"` gets: such a tag cannot run a module, and the browser would not say why. */
const NO_MODULE = 'console.error(\'Vezne: the script tag lacks type="module".\');';

/** @throws {ApiError} `misconfigured` if the script was not deployed with the Worker. */
export async function servePageScript(script: PageScript, request: Request, env: Env): Promise<Response> {
  if (isClassicScript(request))
    return new Response(NO_MODULE, {
      headers: {
        'cache-control': 'no-store',
        'content-type': 'text/javascript',
        'cross-origin-resource-policy': 'cross-origin',
      },
    });
  const {origin, searchParams} = new URL(request.url);
  const offer = searchParams.get('offer');
  const template = await readTemplate(script, env);
  const data = await (script === 'checkout' ? readCheckoutData : readSubscribeData)(offer, request, env);
  const check = isOutsideLoopback(env as unknown as Record<string, unknown>) ? '' : CHECK;
  const {bytes, etag} = await bodyOf(template, data, origin, check);
  const headers = {
    'cache-control': data.isCurrent ? CACHE_CONTROL : CACHE_CONTROL_WITHOUT_LIST,
    etag,
    vary: 'Origin',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  };
  if (isKnown(etag, request)) return new Response(null, {status: 304, headers});
  return new Response(bytes, {headers: {...headers, 'content-type': 'text/javascript; charset=utf-8'}});
}

/** With a platform on this machine, a script also loads `widgets/check.ts`, which names elements that cannot work. */
const CHECK = "\nimport('./check.js');";

/** Browsers request modules with CORS, and other scripts without it unless their tag has `crossorigin`. */
function isClassicScript({headers}: Request): boolean {
  return headers.get('sec-fetch-dest') === 'script' && headers.get('sec-fetch-mode') === 'no-cors';
}

/** Whether the browser has this body. Cloudflare weakens the ETag (`W/`) when it compresses the body. */
function isKnown(etag: string, {headers}: Request): boolean {
  return (headers.get('if-none-match') ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
}

interface Body {
  readonly json: string;
  readonly bytes: Uint8Array;
  readonly etag: string;
}

/** A script that the build wrote: the texts before and after the placeholder of the data. */
interface Template {
  readonly before: string;
  readonly after: string;
  /** The latest bodies, by the Worker's origin, the offer, and whether the data is current. */
  readonly bodies: Map<string, Body>;
}

const PLACEHOLDER: PageDataPlaceholder = '__VEZNE_PAGE_DATA__';

/** Templates by the binding that has them, because tests use several bindings. */
const templates = new WeakMap<Fetcher, Map<PageScript, Template>>();

async function readTemplate(script: PageScript, {ASSETS: assets}: Env): Promise<Template> {
  const known = templates.get(assets)?.get(script);
  if (known) return known;
  const file = await assets.fetch(`https://assets.invalid/vezne/${version}/single/${script}.js`);
  const [before, after, ...others] = file.ok ? (await file.text()).split(`"${PLACEHOLDER}"`) : [];
  if (before === undefined || after === undefined || others.length > 0) {
    if (!file.bodyUsed) await file.body?.cancel();
    throw misconfigured('ASSETS');
  }
  const template = {before, after, bodies: new Map<string, Body>()};
  templates.set(assets, (templates.get(assets) ?? new Map<PageScript, Template>()).set(script, template));
  return template;
}

/** How many bodies an isolate keeps of each script. A body has about 60 kB. */
const MAX_BODIES = 32;

/** The script with the data. It is built again only when the data has changed. */
async function bodyOf(
  {before, after, bodies}: Template,
  data: ScriptData,
  origin: string,
  check: string,
): Promise<Body> {
  const {json, offer, isCurrent} = data;
  const key = JSON.stringify([origin, offer, isCurrent, check]);
  const known = bodies.get(key);
  if (known?.json === json) return known;
  const bytes = utf8(before + toExpression(json) + after + check);
  const digest = toHex(await crypto.subtle.digest('SHA-256', bytes));
  const body = {json, bytes, etag: `"${digest.slice(0, 32)}"`};
  const [oldest] = bodies.keys();
  if (oldest !== undefined && bodies.size >= MAX_BODIES) bodies.delete(oldest);
  bodies.set(key, body);
  return body;
}

/**
 * Writes JSON as JavaScript. The result stays JavaScript even if a page copies the script into an inline element, where
 * `</script>` and `<!--` have a meaning.
 */
function toExpression(json: string): string {
  return json.replace(/[<\u2028\u2029]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
