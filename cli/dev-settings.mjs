// @ts-check
// The settings of a Worker that has the sandbox as its platform.

import path from 'node:path';
import {BASE_FILE, readBaseVars, readEdited, readOwn} from './configuration.mjs';
import {
  findExposedSecrets,
  findMisplaced,
  findMistakes,
  findUnknownNames,
  offerVariables,
  placesOf,
} from './mistakes.mjs';
import {editedName, isClone, packagePath, requireNamedFile, secretsFile, UserError} from './project.mjs';
import {readOwnSecrets, readSecrets} from './secrets.mjs';
import {workerVars} from './servers.mjs';
import {OF_THE_PLATFORM} from './worker-config.mjs';

/** The service of the sandbox. Offers of other services are sold under this service. */
export const SANDBOX_SERVICE = 'DEMO';

/** The origin of the demo site in wrangler.toml. */
const BASE_PAGE = 'http://localhost:5173';

/** Lists of origins and URLs, to which the pages of this machine are added. */
const WITH_OWN_PAGES = new Set(['ALLOWED_ORIGINS', 'RETURN_URLS']);

/** @param {[string, unknown]} setting */
const isTaken = ([name, value]) => !OF_THE_PLATFORM.has(name) && !WITH_OWN_PAGES.has(name) && value !== '';

/** @typedef {Record<string, any>} Table */

/**
 * The variables `OFFERS`, `OFFERS_2`, … as tables.
 * @param {Table} variables - Each is a table, or the same table as JSON text.
 * @param {string} file - The name of the file with these variables.
 * @returns {Record<string, Table>}
 */
export function readOffers(variables, file) {
  return Object.fromEntries(
    Object.entries(variables).map(([name, offers]) => {
      try {
        return [name, typeof offers === 'string' ? JSON.parse(offers) : offers];
      } catch {
        throw new UserError(`Not started:\n  ${name}: This is neither a table nor JSON.\nCorrect ${file}.`);
      }
    }),
  );
}

/**
 * The Worker's variables with offers. Offers of the demo link to the demo site at its port. An own offer replaces an
 * offer of the demo that has the same name.
 * @param {Record<string, Table>} demo - The variables of wrangler.toml.
 * @param {Record<string, Table>} own - The variables of the shop's own file.
 * @param {string} page - The origin of the demo site.
 * @returns {Record<string, string>}
 */
export function offerVars(demo, own, page) {
  /** @type {Table} */
  const ownOffers = Object.assign({}, ...Object.values(own));
  for (const [name, offer] of Object.entries(ownOffers))
    if (offer?.kind === 'payment') ownOffers[name] = {...offer, service: SANDBOX_SERVICE};
  const movePort = (/** @type {string} */ _, /** @type {unknown} */ value) =>
    typeof value === 'string' && value.startsWith(`${BASE_PAGE}/`) ? page + value.slice(BASE_PAGE.length) : value;
  return Object.fromEntries(
    Object.entries({OFFERS: {}, ...demo}).map(([name, offers]) => {
      const others = Object.entries(offers ?? {}).filter(([offer]) => !Object.hasOwn(ownOffers, offer));
      const moved = JSON.parse(JSON.stringify(Object.fromEntries(others)), movePort);
      return [name, JSON.stringify(name === 'OFFERS' ? {...moved, ...ownOffers} : moved)];
    }),
  );
}

/**
 * The Worker's variables and secrets. All come from the shop's own files, except those of the platform.
 * @param {string} page - The origin of the pages of this machine.
 * @param {number} sandboxPort
 */
export function devSettings(page, sandboxPort) {
  requireNamedFile();
  const base = readBaseVars();
  const own = readOwn()?.['vars'] ?? {};
  const ownSecrets = readOwnSecrets();
  const allowed = own['ALLOWED_ORIGINS'] ?? (isClone ? base['ALLOWED_ORIGINS'] : '');
  const origins = String(allowed).split(/\s+/).filter(Boolean);
  const {
    ALLOWED_ORIGINS = '',
    RETURN_URLS = '',
    ...sandbox
  } = workerVars(sandboxPort, [...new Set([page, ...origins])]);
  /** @type {Record<string, unknown>} */
  const vars = {
    ...Object.fromEntries(Object.entries(base).filter(([name]) => OF_THE_PLATFORM.has(name))),
    ...sandbox,
    ALLOWED_ORIGINS,
    RETURN_URLS: [RETURN_URLS, own['RETURN_URLS']].filter(Boolean).join(' '),
    ...Object.fromEntries(Object.entries(own).filter(isTaken)),
    ...offerVars(
      isClone ? readOffers(offerVariables(base), BASE_FILE) : {},
      readOffers(offerVariables(own), editedName()),
      page,
    ),
  };
  const sandboxSecrets = readSecrets(packagePath('.dev.vars'));
  const {MERCHANT_API_KEY: key = ''} = sandboxSecrets;
  // Somebody may have put a key of their own into that file.
  const publicKey = key.startsWith('sandbox-') ? key : '';
  // The builder acts as the merchant's server. No page may have a key of the shop, so this Worker also accepts the
  // sandbox's.
  /** @type {Record<string, string>} */
  const secrets = {
    ...(publicKey && {MERCHANT_API_KEY_PREVIOUS: publicKey}),
    ...sandboxSecrets,
    ...Object.fromEntries(Object.entries(ownSecrets).filter(isTaken)),
  };
  const edited = readEdited();
  const misread = findMistakes(
    {
      ...vars,
      ...secrets,
      // A list is a mistake, because the Worker accepts only text. `workerVars` would turn the list into text.
      ...(typeof allowed !== 'string' && {ALLOWED_ORIGINS: allowed}),
      // `workerVars` also sets `RETURN_URLS` to the origins, whose mistakes are already reported as `ALLOWED_ORIGINS`.
      RETURN_URLS: own['RETURN_URLS'] ?? page,
    },
    edited,
  );
  const shownSecrets = path.basename(secretsFile());
  const mistakes = [
    ...findMisplaced(edited),
    ...findExposedSecrets(own, shownSecrets),
    ...findUnknownNames({...own, ...ownSecrets}, edited).mistakes,
    ...misread,
  ];
  if (mistakes.length > 0) {
    const places = placesOf(mistakes, editedName(), shownSecrets);
    throw new UserError(`Not started:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}\nCorrect ${places}.`);
  }
  const replaced = Object.entries({...own, ...ownSecrets}).flatMap(([name, value]) =>
    value !== '' && OF_THE_PLATFORM.has(name) ? [name] : [],
  );
  const {MERCHANT_API_KEY, MERCHANT_API_KEY_PREVIOUS} = secrets;
  const isAccepted = [MERCHANT_API_KEY, MERCHANT_API_KEY_PREVIOUS].includes(publicKey);
  return {vars, secrets, publicKey: isAccepted ? publicKey : '', replaced};
}
