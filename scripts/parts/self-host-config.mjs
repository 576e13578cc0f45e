// @ts-check
// The configuration that plain workerd needs to run the Worker as wrangler.toml describes it, with its objects on this machine's disk.

import {isLoopback} from '../../worker/config/origins.ts';

/**
 * @typedef {object} Wrangler What is read of wrangler.toml.
 * @property {string | undefined} compatibility_date
 * @property {string[]} compatibility_flags
 * @property {Record<string, unknown>} vars
 * @property {{bindings: {name: string, class_name: string}[]}} durable_objects
 * @property {{name: string, simple: {limit: number, period: number}}[]} ratelimits
 *
 * @typedef {object} Plan
 * @property {Wrangler} wrangler
 * @property {readonly string[]} fromEnvironment Names of bindings whose values workerd finds in its environment: no secret is written down.
 * @property {Readonly<Record<string, string | undefined>>} environment Their values, of which only the addresses are looked at.
 * @property {string} state Folder of the objects.
 * @property {string} site Folder of the files.
 * @property {Record<string, import('./site-files.mjs').SiteFile>} files
 * @property {string} host
 * @property {number} port
 * @property {string} clientAddressHeader
 */

/** Cap’n Proto writes texts as JSON does. */
const text = (/** @type {string} */ value) => JSON.stringify(value);

/** @param {readonly string[]} all */
const list = (all) => `[${all.join(', ')}]`;

/** @param {Plan} plan */
export function describeWorkerd(plan) {
  const {wrangler, state, site, files, host, port, clientAddressHeader} = plan;
  const common = `compatibilityDate = ${text(wrangler.compatibility_date ?? '')}, compatibilityFlags = ${list(wrangler.compatibility_flags.map(text))}`;
  /** @param {string} name @param {string} module @param {readonly string[]} bound @param {string} [more] */
  const worker = (name, module, bound, more = '') =>
    `(name = ${text(name)}, worker = (modules = [(name = ${text(module)}, esModule = embed ${text(module)})], ${common}, bindings = ${list(bound)}${more}))`;
  const classes = wrangler.durable_objects.bindings.map(({class_name: name}) => name);
  const namespaces = classes.map(
    (name) => `(className = ${text(name)}, uniqueKey = ${text(`vezne-${name}`)}, enableSql = true)`,
  );
  const objects = `, durableObjectNamespaces = ${list(namespaces)}, durableObjectStorage = (localDisk = "state"), cacheApiOutbound = "no-cache"`;
  const services = [
    `(name = "state", disk = (path = ${text(state)}, writable = true))`,
    `(name = "site", disk = (path = ${text(site)}))`,
    `(name = "internet", network = (allow = ${list(reachable(plan).map(text))}, tlsOptions = (trustBrowserCas = true)))`,
    worker('no-cache', 'no-cache.js', []),
    ...wrangler.ratelimits.map(({name, simple: {limit, period}}) =>
      worker(rateName(name), 'rate-limit.js', [jsonBinding('LIMIT', limit), jsonBinding('PERIOD_SECONDS', period)]),
    ),
    worker('vezne', 'index.js', bindings(plan), objects),
    worker('front', 'front.js', [
      jsonBinding('FILES', files),
      `(name = "CLIENT_ADDRESS_HEADER", text = ${text(clientAddressHeader)})`,
      '(name = "SITE", service = "site")',
      '(name = "WORKER", service = "vezne")',
    ]),
  ];
  const listen = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ${services.join(',\n    ')}
  ],
  sockets = [(name = "http", address = ${text(listen)}, http = (forwardedProtoHeader = "X-Forwarded-Proto"), service = "front")],
);
`;
}

/** @param {Plan} plan */
function bindings({wrangler, fromEnvironment}) {
  const written = Object.entries(wrangler.vars).filter(([name]) => !fromEnvironment.includes(name));
  return [
    ...written.map(([name, value]) =>
      typeof value === 'string' ? `(name = ${text(name)}, text = ${text(value)})` : jsonBinding(name, value),
    ),
    ...fromEnvironment.map((name) => `(name = ${text(name)}, fromEnvironment = ${text(name)})`),
    ...wrangler.durable_objects.bindings.map(
      ({name, class_name: className}) => `(name = ${text(name)}, durableObjectNamespace = ${text(className)})`,
    ),
    ...wrangler.ratelimits.map(
      ({name}) => `(name = ${text(name)}, service = (name = ${text(rateName(name))}, entrypoint = "RateLimit"))`,
    ),
  ];
}

/** @param {string} binding */
const rateName = (binding) => `rate-${binding}`;

/** @param {string} name @param {unknown} value */
const jsonBinding = (name, value) => `(name = ${text(name)}, json = ${text(JSON.stringify(value))})`;

/** Networks the Worker may send to: this machine only where an address of its configuration is here. @param {Plan} plan */
function reachable({wrangler, environment}) {
  const addresses = Object.values({...wrangler.vars, ...environment}).filter(
    (value) => typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value),
  );
  const local = addresses.some((address) => isLoopback(new URL(String(address))));
  return ['public', ...(local ? ['127.0.0.0/8', '::1/128'] : [])];
}
