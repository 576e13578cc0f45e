// @ts-check
// Ends with one sentence when what is about to be deployed would still talk to the sandbox or to pages of this machine. Takes the arguments of `wrangler deploy`.

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
  },
  strict: false,
});

/** @param {unknown} text */
const isLoopbackAddress = (text) => typeof text === 'string' && URL.canParse(text) && isLoopback(new URL(text));

/** @param {unknown} text As `ALLOWED_ORIGINS`; what is no origin is for the Worker to refuse. */
const allowsLoopbackOrigin = (text) =>
  String(text ?? '')
    .split(/\s+/)
    .some((entry) => {
      const pattern = parseOriginPattern(entry);
      return pattern !== null && allowsLoopback(pattern);
    });

/** @param {string} file JSON or lines of `NAME=value`. @returns {Record<string, unknown>} */
function readSecrets(file) {
  const text = readFileSync(file, 'utf8');
  if (text.trimStart().startsWith('{')) return JSON.parse(text);
  return Object.fromEntries(
    [...text.matchAll(/^\s*([\w]+)\s*=\s*["']?(.*?)["']?\s*$/gm)].map(([, name, value]) => [name, value]),
  );
}

const env = typeof options.env === 'string' ? options.env : undefined;
/** @type {Record<string, unknown>} */
const vars = {...readConfig({config: 'wrangler.toml', ...(env && {env})}, {hideWarnings: true}).vars};
for (const given of Array.isArray(options.var) ? options.var : []) {
  const [, name, value] = /^(\w+):(.*)$/s.exec(String(given)) ?? [];
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
    `Not deployed: ${loopback.join(', ')} still ${loopback.length > 1 ? 'point' : 'points'} to this machine; name the platform's addresses, your pages' origins and the address the platform knows you by in wrangler.toml (docs/deploy.md).`,
  );
} else if (sandboxSecrets.length > 0) {
  console.error(
    `Not deployed: ${sandboxSecrets.join(', ')} still ${sandboxSecrets.length > 1 ? 'are secrets' : 'is a secret'} of the sandbox; set your own (docs/deploy.md).`,
  );
}
if (loopback.length + sandboxSecrets.length > 0) process.exit(1);
