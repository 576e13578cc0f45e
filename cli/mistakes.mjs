// @ts-check
// Finds mistakes in the Worker's configuration with the Worker's own parser.

import {distance} from 'fastest-levenshtein';
import {parse} from 'smol-toml';
import {
  ConfigError,
  fieldNames,
  isOffersName,
  neededSecrets,
  readConfig,
  SECRET_NAMES,
  SETTING_NAMES,
} from './worker-config.mjs';

/** @typedef {import('./worker-config.mjs').Values} Values */
/** A file with settings. @typedef {{name: string, text: string}} File */

/** Stands in for a secret that is stored at Cloudflare, which does not show it. */
const PLACEHOLDER = 'stored-at-cloudflare-0123456789-abcdefghijklmnopqrstuvwxyz';

/**
 * The mistakes that the Worker would find, each as `OFFERS.lamp.amount: …`. They include mistakes in offers, although
 * the Worker starts with a wrong offer and ignores it.
 * @param {Values} values
 * @param {File} [file] - The file that the operator edits.
 * @returns {readonly string[]}
 */
export function findMistakes(values, file) {
  try {
    return readConfig({...values}).unusableOffers.reasons.map((reason) => withSuggestion(reason, file));
  } catch (error) {
    if (error instanceof ConfigError) return error.reasons.map((reason) => withSuggestion(reason, file));
    throw error;
  }
}

const NOT_ACCEPTED = ': This field is not accepted.';

/** Adds the line of a field that is not accepted, and the name that is meant. @param {string} reason @param {File} [file] */
function withSuggestion(reason, file) {
  if (!reason.endsWith(NOT_ACCEPTED)) return reason;
  const path = reason.slice(0, -NOT_ACCEPTED.length).split('.');
  const meant = closest(path.at(-1) ?? '', fieldNames(path.slice(0, -1)));
  return `${path.join('.')}: This field is not accepted${placeIn(file, ['vars', ...path])}.${didYouMean(meant)}`;
}

/** @param {string | undefined} name */
const didYouMean = (name) => (name === undefined ? '' : ` Did you mean ${name}?`);

/** ` (line 7 of vezne.toml)`; empty if the file does not set the value. @param {File | undefined} file @param {readonly string[]} path */
function placeIn(file, path) {
  const line = file && findLine(file.text, path, 2);
  return line ? ` (line ${line.number} of ${file.name})` : '';
}

/**
 * Adds a placeholder for each secret that the settings need but do not contain.
 * @param {Values} values
 * @returns {Values}
 */
export const withStoredSecrets = (values) => ({
  ...Object.fromEntries(neededSecrets(values).map((name) => [name, PLACEHOLDER])),
  ...values,
});

/**
 * Finds secrets among the settings, which everybody can read who can read the file or the Worker's settings.
 * @param {Values} vars
 * @param {string} secretsFile
 */
export const findExposedSecrets = (vars, secretsFile) =>
  Object.keys(vars)
    .filter((name) => SECRET_NAMES.has(name))
    .map((name) => `${name}${EXPOSED} Move it to ${secretsFile}.`);

const EXPOSED = ': A secret among the settings is stored as plain text.';

/**
 * Where to correct these mistakes.
 * @param {readonly string[]} mistakes
 * @param {string} file - The file with the settings.
 * @param {string} secretsFile
 */
export function placesOf(mistakes, file, secretsFile) {
  const secrets = mistakes.some(isInSecrets);
  const settings = mistakes.some((mistake) => !isInSecrets(mistake));
  return [settings && file, secrets && secretsFile].filter(Boolean).join(' and ');
}

/** Whether the file of the secrets has to change. @param {string} mistake */
const isInSecrets = (mistake) => SECRET_NAMES.has(nameOf(mistake)) && !mistake.includes(EXPOSED);

/** The name of the setting. @param {string} mistake */
const nameOf = (mistake) => /^\w*/.exec(mistake)?.[0] ?? '';

/** @param {string} name */
const isKnown = (name) => SETTING_NAMES.includes(name) || isOffersName(name);

/** The variables `OFFERS`, `OFFERS_2`, … among these. @param {Values} values @returns {Values} */
export const offerVariables = (values) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isOffersName(name)));

/**
 * Finds names that Vezne does not know. If an unknown name resembles a known name, it is a mistake. Any other unknown
 * name may be a variable of the operator's.
 * @param {Values} values
 * @param {File} [file] - The file that the operator edits.
 */
export function findUnknownNames(values, file) {
  /** @type {{mistakes: string[], others: string[]}} */
  const found = {mistakes: [], others: []};
  for (const name of Object.keys(values).filter((each) => !isKnown(each))) {
    const meant = closest(name, SETTING_NAMES);
    if (meant === undefined) found.others.push(name);
    else {
      const place = placeIn(file, ['vars', name]);
      // Without a place, the name is in the file of secrets.
      const advice = place && SECRET_NAMES.has(meant) ? ' It is a secret: move it to the file of secrets.' : '';
      found.mistakes.push(`${name}: Vezne has no setting of this name${place}.${didYouMean(meant)}${advice}`);
    }
  }
  return found;
}

/**
 * Finds the Worker's settings outside the table `[vars]`, where they have no effect. In TOML, a line belongs to the
 * table that the nearest header above it names, so a line at the end of the file is often in another table.
 * @param {{name: string, text: string, content: Values}} file
 * @returns {string[]} One sentence for each setting.
 */
export function findMisplaced({name: file, text, content}) {
  const hasVars = statementsOf(text).some(({header}) => header?.join('.') === 'vars');
  return misplacedPaths(content).map((path) => {
    const {number, header} = findLine(text, path) ?? {};
    const line = number === undefined ? file : `line ${number} of ${file}`;
    const table = path.slice(0, -1).join('.');
    const advice = header
      ? `Name the table [${['vars', ...header.slice(path.length - 1)].join('.')}].`
      : `Move it directly below ${hasVars ? 'the line [vars]' : 'a new line [vars] at the end of the file'}.`;
    const place = table ? `in the table [${table}]` : 'outside the table [vars]';
    return `${path.at(-1)}: This setting has no effect, because it is ${place} (${line}). ${advice}`;
  });
}

/**
 * @param {unknown} value - A table, or a list of tables.
 * @param {readonly string[]} path - The path of the table.
 * @returns {string[][]}
 */
function misplacedPaths(value, path = []) {
  if (Array.isArray(value)) return value.flatMap((item) => misplacedPaths(item, path));
  if (!isTable(value)) return [];
  const [root, variable, ...deeper] = path;
  return Object.entries(value).flatMap(([name, inner]) => {
    const hasRows = root === 'vars' && deeper.length === 0 && (variable === 'SERVICES' || isOffersName(variable ?? ''));
    if (isSetting(name, root) && !(root === 'vars' && variable === undefined) && !(hasRows && isTable(inner)))
      return [[...path, name]];
    return misplacedPaths(inner, [...path, name]);
  });
}

/**
 * Whether the operator means a setting of the Worker. Inside a variable, the operator chooses some names, such as the
 * codes of banks, so there only a setting's exact name counts. Elsewhere, wrangler's own names are in lower case.
 * @param {string} name
 * @param {string | undefined} root - The outermost table.
 */
const isSetting = (name, root) =>
  isKnown(name) ||
  (root !== 'vars' && name === name.toUpperCase() && SETTING_NAMES.some((known) => isMisspelling(name, known)));

/** @param {unknown} value @returns {value is object} */
const isTable = (value) => typeof value === 'object' && value !== null;

/**
 * Finds the line that sets a value, and the header of a table if the line is a header.
 * @param {string} toml
 * @param {readonly string[]} path
 * @param {number} [shortest] - How much of the path a line has to set at least.
 * @returns {{number: number, header: string[] | null} | undefined}
 */
function findLine(toml, path, shortest = 1) {
  for (const {number, header, content} of statementsOf(toml)) if (contains(content, path)) return {number, header};
  // The value is in a variable that is JSON text.
  return path.length > shortest ? findLine(toml, path.slice(0, -1), shortest) : undefined;
}

/**
 * A header of a table, or what sets a value.
 * @typedef {{number: number, header: string[] | null, content: unknown}} Statement `content`: a file that has only this.
 */

/** The statements of the files that were asked for, by their text. @type {Map<string, readonly Statement[]>} */
const knownStatements = new Map();

/** The statements of a file, in their sequence. @param {string} toml */
function statementsOf(toml) {
  const statements = knownStatements.get(toml) ?? [...readStatements(toml)];
  knownStatements.set(toml, statements);
  return statements;
}

/**
 * The reader of TOML gives no lines, but it reads each statement alone.
 * @param {string} toml
 * @returns {Generator<Statement, void>}
 */
function* readStatements(toml) {
  /** How many tables each list has so far, by its names as JSON. @type {Map<string, number>} */
  const lists = new Map();
  /** The table that the last header names. @type {(string | number)[]} */
  let table = [];
  let statement = '';
  let number = 1;
  for (const [index, line] of toml.split('\n').entries()) {
    statement += `${line}\n`;
    const [quotes] = /"""|'''/.exec(statement) ?? [];
    const isText = quotes && statement.split(quotes).length % 2 === 0;
    // Only its quotes can end a text of several lines.
    if (isText && !line.includes(quotes)) continue;
    const content = tryParse(statement);
    // The value has further lines.
    if (content === undefined) continue;
    const header = /^\s*\[/.test(statement) ? namesIn(content) : null;
    if (header) table = placeOf(header, /^\s*\[\[/.test(statement), lists);
    yield {number, header, content: within(table, header ? {} : content)};
    statement = '';
    number = index + 2;
  }
}

/**
 * The names of a table, and of each list among them, the number of its last table.
 * @param {readonly string[]} names
 * @param {boolean} isOfList - Whether the header begins one more table of a list.
 * @param {Map<string, number>} lists
 */
function placeOf(names, isOfList, lists) {
  const keyOf = (/** @type {number} */ length) => JSON.stringify(names.slice(0, length)).slice(0, -1);
  const own = keyOf(names.length);
  if (isOfList) {
    // The new table has no lists yet.
    for (const key of lists.keys()) if (key.startsWith(`${own},`)) lists.delete(key);
    lists.set(own, (lists.get(own) ?? 0) + 1);
  }
  return names.flatMap((name, index) => {
    const count = lists.get(keyOf(index + 1));
    return count === undefined ? [name] : [name, count - 1];
  });
}

/** A file that has only this, at this place. @param {readonly (string | number)[]} place @param {unknown} content */
const within = (place, content) =>
  place.reduceRight(
    (inner, part) => (typeof part === 'number' ? Object.assign([], {[part]: inner}) : {[part]: inner}),
    content,
  );

/** @param {string} toml @returns {Values | undefined} */
function tryParse(toml) {
  try {
    return parse(toml);
  } catch {
    return undefined;
  }
}

/** The names in a header. @param {object} content @returns {string[]} */
function namesIn(content) {
  const [[name, inner] = []] = Array.isArray(content) ? [] : Object.entries(content);
  return name === undefined ? [] : [name, ...namesIn(inner)];
}

/** @param {unknown} content @param {readonly string[]} path - It may leave out places in lists. @returns {boolean} */
function contains(content, path) {
  const [name, ...deeper] = path;
  if (name === undefined) return true;
  if (!isTable(content)) return false;
  if (Object.hasOwn(content, name)) return contains(/** @type {Values} */ (content)[name], deeper);
  return Array.isArray(content) && content.some((item) => contains(item, path));
}

/** @param {string} name @param {string} known */
const isMisspelling = (name, known) =>
  differenceOf(name, known) <= (known.length > 6 ? 2 : 1) || (known === 'OFFERS' && name.startsWith('OFFERS'));

/** @param {string} name @param {string} known */
function differenceOf(name, known) {
  const [a, b] = [name, known].map((text) => text.toUpperCase().replaceAll('_', ''));
  return distance(a ?? '', b ?? '');
}

/** The name that is most likely meant. @param {string} name @param {readonly string[]} known @returns {string | undefined} */
export const closest = (name, known) =>
  known
    .filter((each) => isMisspelling(name, each))
    .toSorted((a, b) => differenceOf(name, a) - differenceOf(name, b))[0];
