// @ts-check
// Prints, as JSON, what a command needs from the configuration files. `start <page> <sandbox port>` prints the Worker's
// variables for `npm start`; `doctor` prints the Worker's URL and the settings that have no effect.

import process from 'node:process';
import {BASE_FILE, editedFile, readBaseVars, readEdited, readOwn, readSecrets} from './configuration.mjs';
import {findMisplaced, findMistakes, findUnknownNames, offerVariables} from './mistakes.mjs';
import {requireNamedFile} from './own-configuration.mjs';
import {repoPath, UserError} from './repo.mjs';
import {offerVars, readOffers, workerVars} from './stack.mjs';

/** Settings that `npm start` reads from the operator's own file, because they do not depend on the platform. */
const TAKEN_OVER = ['LIMITS', 'TRANSFER_TIMES'];

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
    ...offerVars(readOffers(offerVariables(base), BASE_FILE), readOffers(offerVariables(own), editedFile()), page),
  };
  const misread = findMistakes({
    ...base,
    ...readSecrets(repoPath('.dev.vars')),
    ...vars,
    // A list is a mistake, because the Worker accepts only text. `workerVars` would turn the list into text.
    ...(typeof allowed !== 'string' && {ALLOWED_ORIGINS: allowed}),
    // `workerVars` also sets `RETURN_URLS` to the origins, whose mistakes are already reported as `ALLOWED_ORIGINS`.
    RETURN_URLS: page,
  });
  const mistakes = [...findMisplaced(readEdited()), ...findUnknownNames(own).mistakes, ...misread];
  if (mistakes.length > 0)
    throw new UserError(
      `Not started:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}\nCorrect ${editedFile()}.`,
    );
  return vars;
}

const toText = (/** @type {unknown} */ value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The URL of the Worker's own domain; undefined if the configuration names no domain. */
function workerAddress() {
  const {route, routes = [], vars: _vars} = readOwn() ?? {};
  const [first = route] = routes;
  const pattern = typeof first === 'string' ? first : first?.pattern;
  const [host] = String(pattern ?? '').split('/');
  return host && !host.includes('*') ? `https://${host}` : undefined;
}

try {
  requireNamedFile();
  const [command, page = '', sandboxPort] = process.argv.slice(2);
  console.log(
    JSON.stringify(
      command === 'start'
        ? startVars(page, Number(sandboxPort))
        : {address: workerAddress(), misplaced: findMisplaced(readEdited())},
    ),
  );
} catch (error) {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
}
