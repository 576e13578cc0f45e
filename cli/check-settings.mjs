// @ts-check
// Stops a deployment whose settings are wrong, or still point to the sandbox or to this machine, and says what to change.
// It uses the Worker's own parser, and takes the arguments of `wrangler deploy`.

import path from 'node:path';
import process from 'node:process';
import {parseArgs} from 'node:util';
import {readDeployed, readEdited, readMain, readOwn, routesOf} from './configuration.mjs';
import {
  findExposedSecrets,
  findMisplaced,
  findMistakes,
  findUnknownNames,
  offerVariables,
  placesOf,
  withStoredSecrets,
} from './mistakes.mjs';
import {printWarning} from './print.mjs';
import {editedName, requireNamedFile, secretsFile, shown, UserError} from './project.mjs';
import {readOwnSecrets, readSecrets} from './secrets.mjs';
import {
  ADDRESSES,
  allowsLoopback,
  explainWebhookUrl,
  findSandboxSecrets,
  isLoopback,
  neededSecrets,
  parseOriginPattern,
} from './worker-config.mjs';

const THIS_MACHINE = 'This is an address of this machine.';

/** @param {readonly string[]} args */
const readOptions = (args) =>
  parseArgs({
    args: [...args],
    options: {
      env: {type: 'string', short: 'e'},
      name: {type: 'string'},
      var: {type: 'string', multiple: true},
      'secrets-file': {type: 'string'},
      domain: {type: 'string', multiple: true},
      route: {type: 'string', multiple: true},
      routes: {type: 'string', multiple: true},
    },
    strict: false,
  }).values;

/** @typedef {ReturnType<typeof readOptions>} Options */

/** @param {unknown} text */
const isLoopbackAddress = (text) => typeof text === 'string' && URL.canParse(text) && isLoopback(new URL(text));

/**
 * @param {unknown} text - A value of `ALLOWED_ORIGINS`. Invalid entries are skipped: the Worker's parser finds them.
 */
const allowsLoopbackOrigin = (text) =>
  String(text ?? '')
    .split(/\s+/)
    .some((entry) => {
      const pattern = parseOriginPattern(entry);
      return pattern !== null && allowsLoopback(pattern);
    });

/** The English titles of the demo's offers, by name. @type {Readonly<Record<string, string>>} */
const DEMO_TITLES = {
  gold: 'Wooden table lamp',
  brief: 'Wooden table lamp',
  club: 'Club membership',
  trial: 'Club membership',
};

/** @param {unknown} offers - A table, or the same table as JSON text. @returns {[string, any][]} */
function offersIn(offers) {
  try {
    const table = typeof offers === 'string' ? JSON.parse(offers) : offers;
    return Object.entries(table ?? {});
  } catch {
    return [];
  }
}

/** Finds the offers of the demo, by their names and titles. @param {Record<string, unknown>} values */
const findDemoOffers = (values) =>
  Object.entries(offerVariables(values)).flatMap(([binding, offers]) =>
    offersIn(offers)
      .filter(([name, offer]) => DEMO_TITLES[name] !== undefined && offer?.title?.en === DEMO_TITLES[name])
      .map(([name]) => `${binding}.${name}: This is an offer of the demo.`),
  );

/** A deployed Worker cannot send webhooks to a local network. @param {unknown} url @returns {string[]} */
function findWebhookMistakes(url) {
  const reason = typeof url === 'string' ? explainWebhookUrl(url, false) : null;
  return reason === null ? [] : [`WEBHOOK_URL: ${reason}`];
}

const pathOf = (/** @type {string} */ mistake) => mistake.split(': ', 1)[0] ?? '';

/** @param {unknown} option */
const textOf = (option) => (typeof option === 'string' ? option : undefined);

/**
 * A staging Worker has a file of its own. An environment of wrangler inherits the domain of production, but no rate
 * limits.
 */
const NO_ENVIRONMENTS =
  'Vezne does not use environments of wrangler. A staging Worker has settings of its own: copy vezne.toml to ' +
  'vezne.staging.toml, change its `name`, its domain and its addresses, write its secrets into .dev.vars.staging, and ' +
  `deploy it with VEZNE_CONFIG=vezne.staging.toml ${shown('deploy')}`;

/**
 * What another file must not share with `vezne.toml`, because its deployment would replace the shop's Worker or take its
 * domain.
 * @param {Record<string, any>} config - As it is deployed.
 * @param {Record<string, any> | null} main
 * @param {Options} options
 */
function findShared(config, main, options) {
  if (!main) return [];
  const given = [options.domain, options.route, options.routes].flat().filter((one) => typeof one === 'string');
  const shared = [...routesOf(config), ...given].find((pattern) => routesOf(main).includes(pattern));
  return [
    ...((textOf(options.name) ?? config['name']) === main['name']
      ? ['name: vezne.toml deploys a Worker of this name, which would be replaced.']
      : []),
    ...(shared === undefined ? [] : [`routes: vezne.toml deploys its Worker at ${shared}, which would be moved.`]),
  ];
}

/**
 * Finds all mistakes, with at most one mistake for each setting, and the secrets that are needed and are in no file.
 * @param {Options} options
 * @returns {{mistakes: string[], unseen: string[]}}
 */
function findAll(options) {
  const edited = readEdited();
  if (options.env !== undefined || process.env['CLOUDFLARE_ENV'] || 'env' in edited.content)
    throw new UserError(`Not deployed: ${NO_ENVIRONMENTS} (docs/deploy.md).`);
  // A setting in a wrong table can make the table invalid for wrangler, so these mistakes are reported first.
  const misplaced = findMisplaced(edited);
  if (misplaced.length > 0) return {mistakes: misplaced, unseen: []};
  const config = readDeployed(textOf(options.name));
  /** @type {Record<string, unknown>} */
  const values = {...config.vars};
  for (const option of Array.isArray(options.var) ? options.var : []) {
    const [, name, value] = /^(\w+):(.*)$/s.exec(String(option)) ?? [];
    if (name) values[name] = value;
  }
  const exposed = findExposedSecrets(values, path.basename(secretsFile()));
  const file = options['secrets-file'];
  const secrets = typeof file === 'string' ? readSecrets(file) : readOwnSecrets();
  for (const [name, secret] of Object.entries(secrets)) if (secret !== '') values[name] ??= secret;
  // A service or VPC binding PLATFORM exists only at Cloudflare, so the parser gets a stub of it.
  const hasPlatformBinding = /"binding":"PLATFORM"/.test(JSON.stringify(config));
  const bindings = hasPlatformBinding ? {PLATFORM: {fetch: () => undefined}} : {};

  const unknown = findUnknownNames(values, edited);
  for (const name of unknown.others) printWarning(`Note: Vezne has no setting of the name ${name}.`);
  const found = [
    ...findShared(config, readMain(), options),
    ...exposed,
    ...neededSecrets(values)
      .filter((name) => secrets[name] === '')
      .map((name) => `${name}: This secret is missing.`),
    ...ADDRESSES.filter((name) => isLoopbackAddress(values[name])).map((name) => `${name}: ${THIS_MACHINE}`),
    ...findWebhookMistakes(values['WEBHOOK_URL']),
    ...(allowsLoopbackOrigin(values['ALLOWED_ORIGINS'])
      ? ['ALLOWED_ORIGINS: Pages on this machine are not accepted.']
      : []),
    ...(isLoopbackAddress(`http://${values['MERCHANT_IP']}`) ? [`MERCHANT_IP: ${THIS_MACHINE}`] : []),
    ...findSandboxSecrets(values).map((name) => `${name}: This is a public secret of the sandbox. Set your own.`),
    ...findDemoOffers(values),
    ...unknown.mistakes,
    ...findMistakes({...withStoredSecrets(values), ...bindings}, edited),
    ...(isAlsoOnWorkersDev(config, options)
      ? [
          'workers_dev: The Worker has a domain, but would also be on workers.dev, where the rules of ' +
            'your domain do not apply. Set workers_dev = false and preview_urls = false.',
        ]
      : []),
  ];
  return {
    mistakes: found.filter((mistake, index) => found.findIndex((other) => pathOf(other) === pathOf(mistake)) === index),
    unseen: neededSecrets(values).filter((name) => values[name] === undefined),
  };
}

/**
 * Whether the Worker has a domain and is also on `workers.dev`. Requests to the name on `workers.dev` would bypass the
 * firewall and the rate limits of the domain's zone.
 * @param {ReturnType<typeof readDeployed>} config
 * @param {Options} options
 */
function isAlsoOnWorkersDev(config, options) {
  const hasDomain = config.route || config.routes?.length || options['domain'] || options['route'] || options['routes'];
  return Boolean(hasDomain) && config.workers_dev !== false;
}

/**
 * Throws if these settings must not be deployed, and otherwise writes the configuration to deploy.
 * @param {readonly string[]} args - Of `wrangler deploy`.
 * @returns {readonly string[]} The secrets that only Cloudflare may have: a deployment asks for them, a dry run does not.
 */
export function checkSettings(args) {
  requireNamedFile();
  const {mistakes, unseen} = findAll(readOptions(args));
  if (mistakes.length === 0) return unseen;
  const advice = readOwn()
    ? `Correct ${placesOf(mistakes, editedName(), path.basename(secretsFile()))}`
    : `Run \`${shown('new')}\`, which writes settings of your own`;
  throw new UserError(
    `Not deployed:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}\n${advice} (docs/deploy.md).`,
  );
}
