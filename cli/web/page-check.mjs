// @ts-check
// What is wrong with a page of the shop, as a shopper's browser and the caches on the way get it. Others may write on the
// page, so that what is examined is bounded.

import {findElementProblems, findOfferProblems} from './element-check.mjs';
import {findSnippetProblems} from './snippet-check.mjs';
import {tagsOf} from './tags.mjs';

/**
 * @typedef {object} Finding
 * @property {string} name
 * @property {'ok' | 'warning' | 'failed'} state
 * @property {string} message
 * @property {string} [action]
 */
/**
 * @typedef {object} Page
 * @property {URL} url
 * @property {Headers} headers
 * @property {string} html
 */
/** @typedef {import('./tags.mjs').Tag} Tag */
/** @typedef {{attributes: Tag['attributes'], url: URL, name: string, release: string | undefined}} Script */

const OUR_SCRIPT = /^\/(?:vezne\/([\d.]+)\/)?(vezne|checkout|subscribe|vendor|refund|activity)\.js$/;

/** The first tags of the Worker's scripts, and the first characters of policies, are examined. */
const MAX_SCRIPTS = 20;
const MAX_POLICY_LENGTH = 32_768;

/**
 * @param {Page} page
 * @param {URL} worker - Any URL of the Worker.
 * @param {{current: string, releases: {version: string}[]} | null} known - The Worker's releases.
 * @param {boolean} isOriginAllowed
 * @param {ReadonlyMap<string, import('./element-check.mjs').OfferState>} [offers] - What the Worker says of the offers
 * that the page names.
 * @returns {Finding[]}
 */
export function examinePage({url, headers, html}, worker, known, isOriginAllowed, offers = new Map()) {
  const tags = [...tagsOf(html)];
  const scripts = scriptsOf(tags, url);
  const policies = policiesOf(tags, headers);
  const findings = [
    ...findScriptProblems(scripts, worker),
    ...findElementProblems(tags, scripts),
    ...findOfferProblems(tags, url, worker, offers),
    ...findPolicyProblems(policies, scripts, url, worker),
    ...(isOriginAllowed
      ? []
      : [
          failed(
            'origin',
            `The Worker refuses pages of ${url.origin}.`,
            'Add this origin to ALLOWED_ORIGINS, and deploy.',
          ),
        ]),
    ...findCacheProblems(tags, headers),
    ...findSnippetProblems(tags, html),
    ...scripts.flatMap(({release}) => (release === undefined ? [] : [toRelease(release, known)])),
  ];
  return findings.filter(({message}, index) => findings.findIndex((other) => other.message === message) === index);
}

/** @param {string} name @param {string} message @param {string} [action] @returns {Finding} */
const failed = (name, message, action) => ({name, state: 'failed', message, ...(action && {action})});
/** @param {string} name @param {string} message @param {string} [action] @returns {Finding} */
const warning = (name, message, action) => ({name, state: 'warning', message, ...(action && {action})});

/** @param {readonly Tag[]} tags @param {URL} page @returns {Script[]} */
function scriptsOf(tags, page) {
  return tags
    .flatMap(({name: tag, attributes}) => {
      const source = attributes.get('src');
      if (tag !== 'script' || !source || !URL.canParse(source, page.href)) return [];
      const url = new URL(source, page);
      const [, release, name] = OUR_SCRIPT.exec(url.pathname) ?? [];
      return name === undefined ? [] : [{attributes, url, name, release}];
    })
    .slice(0, MAX_SCRIPTS);
}

/** @param {readonly Script[]} scripts @param {URL} worker @returns {Finding[]} */
function findScriptProblems(scripts, worker) {
  if (scripts.length === 0)
    return [
      warning(
        'page',
        'The page has no script tag of the Worker in its HTML.',
        'This is right only if a script or a bundle of the page adds it, which is not checked. The page of `vezne dev` does.',
      ),
    ];
  return scripts.flatMap(({attributes, url, name}) => [
    ...(/^\s*module\s*$/i.test(attributes.get('type') ?? '')
      ? []
      : [failed('page', `The tag of ${name}.js is not type="module", so it does not run.`)]),
    ...(url.origin === worker.origin
      ? []
      : [failed('page', `${name}.js comes from ${url.origin}, not from the Worker at ${worker.origin}.`)]),
    ...(scripts.filter((other) => other.name === name).length > 1
      ? [failed('page', `The page loads ${name}.js more than once.`, 'Keep one tag; the first one works.')]
      : []),
  ]);
}

/** @param {readonly Tag[]} tags @param {Headers} headers @returns {Map<string, string[]>[]} Each policy by directive. */
function policiesOf(tags, headers) {
  const inPage = tags
    .filter(
      ({name, attributes}) =>
        name === 'meta' && attributes.get('http-equiv')?.toLowerCase() === 'content-security-policy',
    )
    .map(({attributes}) => attributes.get('content') ?? '');
  const all = [...(headers.get('content-security-policy') ?? '').split(','), ...inPage].join(',');
  return all
    .slice(0, MAX_POLICY_LENGTH)
    .split(',')
    .map(
      (policy) =>
        new Map(
          policy.split(';').flatMap((directive) => {
            const [name, ...sources] = directive.trim().split(/\s+/);
            return name ? [[name.toLowerCase(), sources]] : [];
          }),
        ),
    );
}

/**
 * @param {readonly Map<string, string[]>[]} policies
 * @param {readonly Script[]} scripts
 * @param {URL} page
 * @param {URL} worker
 * @returns {Finding[]}
 */
function findPolicyProblems(policies, scripts, page, worker) {
  const sockets = new URL(worker.origin.replace(/^http/, 'ws'));
  /** @param {string[]} directives @param {URL} url @param {string} [nonce] */
  const isRefused = (directives, url, nonce) =>
    policies.some((policy) => {
      const sources = directives.map((name) => policy.get(name)).find(Boolean);
      return sources !== undefined && !allows(sources, url, page, nonce);
    });
  const advice = (/** @type {string} */ directive) => `Add ${worker.origin} to ${directive} (docs/elements.md).`;
  return [
    ...scripts
      .filter(({attributes, url}) =>
        isRefused(['script-src-elem', 'script-src', 'default-src'], url, attributes.get('nonce') || undefined),
      )
      .map(({name}) =>
        failed('policy', `The page's Content-Security-Policy refuses ${name}.js.`, advice('script-src')),
      ),
    ...(isRefused(['connect-src', 'default-src'], new URL('/v1/banks', worker))
      ? [failed('policy', "The page's Content-Security-Policy refuses requests to the Worker.", advice('connect-src'))]
      : isRefused(['connect-src', 'default-src'], sockets)
        ? [
            warning(
              'policy',
              "The page's Content-Security-Policy refuses sockets, so the page polls.",
              `Add ${sockets.origin === 'null' ? sockets.href.replace(/\/$/, '') : sockets.origin} to connect-src.`,
            ),
          ]
        : []),
    ...(isRefused(['img-src', 'default-src'], new URL('/v1/banks', worker))
      ? [warning('policy', "The page's Content-Security-Policy refuses the logos of banks.", advice('img-src'))]
      : []),
  ];
}

/** `'self'` also means the secure schemes and the sockets of the page's host. @param {URL} url @param {URL} page */
function isSelf(url, page) {
  const schemes = ['https:', 'wss:', ...(page.protocol === 'http:' ? ['http:', 'ws:'] : [])];
  return url.host === page.host && schemes.includes(url.protocol);
}

/** @param {readonly string[]} sources @param {URL} url @param {URL} page @param {string | undefined} nonce */
function allows(sources, url, page, nonce) {
  if (nonce !== undefined && sources.includes(`'nonce-${nonce}'`)) return true;
  // With this word, browsers ignore the hosts.
  if (sources.includes("'strict-dynamic'")) return false;
  return sources.some((source) => {
    if (source === '*') return true;
    if (source === "'self'") return isSelf(url, page);
    if (/^[a-z]+:$/i.test(source)) return url.protocol === source.toLowerCase();
    const [, scheme, host = '', port, path = ''] =
      /^(?:([a-z]+):\/\/)?([^/:']+)(?::(\d+|\*))?(\/.*)?$/i.exec(source) ?? [];
    const isHost = host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host;
    const isScheme = scheme ? url.protocol === `${scheme}:` : url.protocol === page.protocol || url.protocol === 'wss:';
    const isPath = path === '' || (path.endsWith('/') ? url.pathname.startsWith(path) : url.pathname === path);
    return isHost && isScheme && isPath && (port === '*' || (port ?? '') === url.port);
  });
}

/** @param {readonly Tag[]} tags @param {Headers} headers @returns {Finding[]} */
function findCacheProblems(tags, headers) {
  if (!tags.some(({name, attributes}) => name.startsWith('vezne-') && attributes.get('session'))) return [];
  const control = headers.get('cache-control') ?? '';
  const isFromCache = Number(headers.get('age') ?? 0) > 0 || /hit/i.test(headers.get('cf-cache-status') ?? '');
  if (!isFromCache && /\b(?:no-store|private)\b/i.test(control)) return [];
  const how = isFromCache ? 'came from a cache' : 'may be stored by a cache';
  return [
    failed(
      'cache',
      `The page has a session, and ${how}: other shoppers would get this session.`,
      'Send Cache-Control: private, no-store.',
    ),
  ];
}

/** @param {string} release @param {{current: string, releases: {version: string}[]} | null} known @returns {Finding} */
function toRelease(release, known) {
  const isKnown = known?.releases.some(({version}) => version === release) ?? false;
  const message = `The page has files of release ${release}, which the Worker ${isKnown ? 'serves' : 'does not have'}.`;
  return {name: 'release', state: isKnown ? (release === known?.current ? 'ok' : 'warning') : 'failed', message};
}
