// @ts-check
// Stands in front of the Worker on a host of one's own, for what Cloudflare's edge does there: serves the files that pages load, and says
// where a visitor comes from.

/**
 * @typedef {object} SiteFile
 * @property {string} path Below the site's folder.
 * @property {string} etag
 * @property {Readonly<Record<string, string>>} headers
 *
 * @typedef {object} Env
 * @property {Readonly<Record<string, SiteFile>>} FILES By the path they are asked for.
 * @property {Fetcher} SITE The folder.
 * @property {Fetcher} WORKER
 * @property {string} CLIENT_ADDRESS_HEADER The header in which a terminator in front tells the visitor's address; empty where there is none.
 */

/** What nobody but an edge may say of a visitor. */
const OF_THE_EDGE = [
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-ipcountry',
  'cf-ray',
  'cf-visitor',
  'cf-worker',
  'true-client-ip',
];

export default {
  /** @param {Request} request @param {Env} env @returns {Promise<Response>} */
  async fetch(request, env) {
    const {pathname} = new URL(request.url);
    const file = Object.hasOwn(env.FILES, pathname) ? env.FILES[pathname] : undefined;
    return file ? serve(request, file, env.SITE) : env.WORKER.fetch(withAddress(request, env.CLIENT_ADDRESS_HEADER));
  },
};

/**
 * As the edge's assets answer.
 * @param {Request} request @param {SiteFile} file @param {Fetcher} site
 */
async function serve({method, headers: asked}, {path, etag, headers}, site) {
  const told = {...headers, etag};
  if (method !== 'GET' && method !== 'HEAD')
    return new Response(null, {status: 405, headers: {...headers, allow: 'GET, HEAD'}});
  if (
    asked
      .get('if-none-match')
      ?.split(',')
      .some((one) => one.trim().replace(/^W\//, '') === etag)
  )
    return new Response(null, {status: 304, headers: told});
  if (method === 'HEAD') return new Response(null, {headers: told});
  const {status, body} = await site.fetch(`http://site/${path}`);
  return status === 200 ? new Response(body, {headers: told}) : new Response(null, {status: 404});
}

/**
 * The last address in the terminator's header is the one it saw itself; what a visitor says of itself counts for nothing.
 * @param {Request} request @param {string} header
 */
function withAddress(request, header) {
  const address = header === '' ? undefined : request.headers.get(header)?.split(',').at(-1)?.trim();
  const headers = new Headers(request.headers);
  for (const name of OF_THE_EDGE) headers.delete(name);
  if (address) headers.set('cf-connecting-ip', address);
  return new Request(request, {headers});
}
