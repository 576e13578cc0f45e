// @ts-check
// Stops a deployment whose configuration still points to the sandbox or to this machine, and says what to change.
// Takes the arguments of `wrangler deploy`.

import {readFileSync} from 'node:fs';
import process from 'node:process';
import {parseArgs} from 'node:util';
import {unstable_readConfig as readConfig} from 'wrangler';
import {allowsLoopback, isLoopback, parseOriginPattern} from '../../worker/config/origins.ts';

const PLATFORM_URLS = ['PHS_URL', 'MICROPAYMENT_URL', 'PAYMENT_PAGE_URL', 'LANDING_URL'];

const {values: options} = parseArgs({
  args: process.argv.slice(2),
  options: {
    env: {type: 'string', short: 'e'},
    var: {type: 'string', multiple: true},
    'secrets-file': {type: 'string'},
    domain: {type: 'string', multiple: true},
    route: {type: 'string', multiple: true},
    routes: {type: 'string', multiple: true},
  },
  strict: false,
});

/** @param {unknown} text */
const isLoopbackAddress = (text) => typeof text === 'string' && URL.canParse(text) && isLoopback(new URL(text));

/** @param {unknown} text A value of `ALLOWED_ORIGINS`. The Worker rejects invalid entries; here they are skipped. */
const allowsLoopbackOrigin = (text) =>
  String(text ?? '')
    .split(/\s+/)
    .some((entry) => {
      const pattern = parseOriginPattern(entry);
      return pattern !== null && allowsLoopback(pattern);
    });

/** @param {string} file A JSON file, or lines of `NAME=value`. @returns {Record<string, unknown>} */
function readSecrets(file) {
  const text = readFileSync(file, 'utf8');
  if (text.trimStart().startsWith('{')) return JSON.parse(text);
  return Object.fromEntries(
    [...text.matchAll(/^\s*([\w]+)\s*=\s*["']?(.*?)["']?\s*$/gm)].map(([, name, value]) => [name, value]),
  );
}

const env = typeof options.env === 'string' ? options.env : undefined;
const config = readConfig({config: 'wrangler.toml', ...(env && {env})}, {hideWarnings: true});
/** @type {Record<string, unknown>} */
const vars = {...config.vars};
for (const option of Array.isArray(options.var) ? options.var : []) {
  const [, name, value] = /^(\w+):(.*)$/s.exec(String(option)) ?? [];
  if (name) vars[name] = value;
}
const file = options['secrets-file'];
const values = {...vars, ...(typeof file === 'string' && readSecrets(file))};

const loopback = [...PLATFORM_URLS, 'RELAY_URL'].filter((name) => isLoopbackAddress(values[name]));
if (allowsLoopbackOrigin(values['ALLOWED_ORIGINS'])) loopback.push('ALLOWED_ORIGINS');
if (isLoopbackAddress(`http://${values['MERCHANT_IP']}`)) loopback.push('MERCHANT_IP');
const sandboxSecrets = Object.keys(values).filter((name) => {
  const value = values[name];
  return /^sandbox-|"sandbox-/.test(typeof value === 'string' ? value : JSON.stringify(value));
});
if (loopback.length > 0) {
  console.error(
    `Not deployed: ${loopback.join(', ')} still ${loopback.length > 1 ? 'point' : 'points'} to this machine. ` +
      "In wrangler.toml, set the platform's addresses, the origins of your pages, and your IP address that the platform knows " +
      '(docs/deploy.md).',
  );
} else if (sandboxSecrets.length > 0) {
  console.error(
    `Not deployed: ${sandboxSecrets.join(', ')} still ${sandboxSecrets.length > 1 ? 'are secrets' : 'is a secret'} of the ` +
      'sandbox. Set your own (docs/deploy.md).',
  );
}
// The name on `workers.dev` would lead past the firewall and the rate limits of the domain's zone.
const hasDomain = Boolean(
  config.route || config.routes?.length || options['domain'] || options['route'] || options['routes'],
);
const isOnWorkersDev = hasDomain && config.workers_dev !== false;
if (loopback.length + sandboxSecrets.length === 0 && isOnWorkersDev) {
  console.error(
    'Not deployed: the Worker has a domain of its own, but it would also be on workers.dev, where the rules of your domain ' +
      'do not hold. In wrangler.toml, set workers_dev = false and preview_urls = false (docs/deploy.md).',
  );
}
if (loopback.length + sandboxSecrets.length > 0 || isOnWorkersDev) process.exit(1);
