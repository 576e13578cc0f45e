// @ts-check
// Prints, as JSON, what a command needs from the configuration files. `start <page> <sandbox port>` prints the Worker's
// variables for `npm start`; `doctor` prints the Worker's URL.

import process from 'node:process';
import {editedFile, readBaseVars, readOwn, readSecrets} from './configuration.mjs';
import {findMistakes} from './mistakes.mjs';
import {requireNamedFile} from './own-configuration.mjs';
import {repoPath, UserError} from './repo.mjs';
import {workerVars} from './stack.mjs';

/** The service of the sandbox. Offers of other services are sold under this service. */
const SANDBOX_SERVICE = 'DEMO';

/** Settings that `npm start` reads from the operator's own file, because they do not depend on the platform. */
const TAKEN_OVER = ['LIMITS', 'TRANSFER_TIMES'];

/** The origin of the demo site in wrangler.toml. */
const BASE_PAGE = 'http://localhost:5173';

const isOffers = (/** @type {string} */ name) => /^OFFERS(_\d+)?$/.test(name);

/**
 * The Worker's variables if it uses the sandbox as its platform. Pages, offers and limits come from the operator's own
 * file.
 * @param {string} page
 * @param {number} sandboxPort
 */
function startVars(page, sandboxPort) {
  const base = readBaseVars();
  const own = readOwn()?.['vars'] ?? {};
  const allowed = own['ALLOWED_ORIGINS'] ?? base['ALLOWED_ORIGINS'] ?? '';
  const origins = String(allowed).split(/\s+/).filter(Boolean);
  const vars = {
    ...workerVars(sandboxPort, [...new Set([page, ...origins])]),
    ...Object.fromEntries(TAKEN_OVER.filter((name) => name in own).map((name) => [name, toText(own[name])])),
    OFFERS: JSON.stringify({...demoOffers(base['OFFERS'], page), ...ownOffers(own)}),
  };
  const mistakes = findMistakes({
    ...base,
    ...readSecrets(repoPath('.dev.vars')),
    ...vars,
    // A list is a mistake, because the Worker accepts only text. `workerVars` would turn the list into text.
    ...(typeof allowed !== 'string' && {ALLOWED_ORIGINS: allowed}),
    // `workerVars` also sets `RETURN_URLS` to the origins, whose mistakes are already reported as `ALLOWED_ORIGINS`.
    RETURN_URLS: page,
  });
  if (mistakes.length > 0)
    throw new UserError(
      `Not started:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}\nCorrect ${editedFile()}.`,
    );
  return vars;
}

/**
 * The offers of the demo, with links to the demo site at its port.
 * @param {object} offers @param {string} page
 */
function demoOffers(offers, page) {
  return JSON.parse(JSON.stringify(offers), (_, value) =>
    typeof value === 'string' && value.startsWith(`${BASE_PAGE}/`) ? page + value.slice(BASE_PAGE.length) : value,
  );
}

/** @param {Record<string, any>} own */
function ownOffers(own) {
  const offers = Object.assign(
    {},
    ...Object.keys(own)
      .filter(isOffers)
      .map((name) => toTable(name, own[name])),
  );
  return Object.fromEntries(
    Object.entries(offers).map(([name, offer]) => [
      name,
      offer?.kind === 'payment' ? {...offer, service: SANDBOX_SERVICE} : offer,
    ]),
  );
}

/** @param {string} name @param {unknown} value A table, or the same table as JSON text. */
function toTable(name, value) {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    throw new UserError(`Not started:\n  ${name}: This is neither a table nor JSON.\nCorrect ${editedFile()}.`);
  }
}

const toText = (/** @type {unknown} */ value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The URL of the Worker's own domain; null if the configuration names no domain. */
function workerAddress() {
  const {route, routes = [], vars: _vars} = readOwn() ?? {};
  const [first = route] = routes;
  const pattern = typeof first === 'string' ? first : first?.pattern;
  const [host] = String(pattern ?? '').split('/');
  return host && !host.includes('*') ? `https://${host}` : null;
}

try {
  requireNamedFile();
  const [command, page = '', sandboxPort] = process.argv.slice(2);
  console.log(JSON.stringify(command === 'start' ? startVars(page, Number(sandboxPort)) : workerAddress()));
} catch (error) {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
}
