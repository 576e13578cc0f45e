// @ts-check
// Finds mistakes in the Worker's configuration with the Worker's own parser.

/** @typedef {Record<string, unknown>} Values */

/**
 * Imports a module of the Worker without its types, because they need the types of workerd instead of the types of
 * Node.
 * @param {string} file - In worker/config.
 * @returns {Promise<any>}
 */
const importConfig = (file) => import(new URL(`../../worker/config/${file}`, import.meta.url).href);

/** @type {(values: Values) => {unusableOffers: {reasons: readonly string[]}}} */
const readConfig = (await importConfig('config.ts')).readConfig;
/** @type {new () => Error & {reasons: readonly string[]}} */
const ConfigError = (await importConfig('mistakes.ts')).ConfigError;
/** @type {readonly string[]} */
const VARIABLE_NAMES = (await importConfig('variables.ts')).VARIABLE_NAMES;

/** Stands in for a secret that is stored at Cloudflare, which does not show it. */
const PLACEHOLDER = 'stored-at-cloudflare-0123456789-abcdefghijklmnopqrstuvwxyz';

/**
 * The mistakes that the Worker would find, each as `OFFERS.lamp.amount: …`. They include mistakes in offers, although
 * the Worker starts with a wrong offer and ignores it.
 * @param {Values} values
 * @returns {readonly string[]}
 */
export function findMistakes(values) {
  try {
    return readConfig({...values}).unusableOffers.reasons;
  } catch (error) {
    if (error instanceof ConfigError) return error.reasons;
    throw error;
  }
}

/**
 * Adds a placeholder for each secret that the settings need but do not contain.
 * @param {Values} values
 * @returns {Values}
 */
export function withStoredSecrets(values) {
  /** @param {string} name */
  const isSet = (name) => values[name] !== undefined;
  const isBillingAlone = !isSet('PHS_URL') && (isSet('MICROPAYMENT_URL') || isSet('LANDING_URL'));
  const needed = [
    'SESSION_SECRET',
    ...(isBillingAlone ? [] : ['MERCHANT_KEY']),
    ...(isSet('WEBHOOK_URL') ? ['WEBHOOK_SECRET'] : []),
    ...(isSet('TURNSTILE_SITEKEY') ? ['TURNSTILE_SECRET'] : []),
    ...(values['EGRESS'] === 'relay' ? ['RELAY_SECRET'] : []),
  ];
  return {...Object.fromEntries(needed.map((name) => [name, PLACEHOLDER])), ...values};
}

const KNOWN_NAMES = [...VARIABLE_NAMES, 'OFFERS'];

/**
 * Finds names that Vezne does not know. If an unknown name resembles a known name, it is a mistake. Any other unknown
 * name may be a variable of the operator's.
 * @param {Values} values
 */
export function findUnknownNames(values) {
  /** @type {{mistakes: string[], others: string[]}} */
  const found = {mistakes: [], others: []};
  for (const name of Object.keys(values)) {
    if (KNOWN_NAMES.includes(name) || /^OFFERS_\d+$/.test(name)) continue;
    const meant = KNOWN_NAMES.find((known) => isMisspelling(name, known));
    if (meant === undefined) found.others.push(name);
    else found.mistakes.push(`${name}: Vezne has no setting of this name. Did you mean ${meant}?`);
  }
  return found;
}

/** @param {string} name @param {string} known */
function isMisspelling(name, known) {
  const [a, b] = [name, known].map((text) => text.toUpperCase().replaceAll('_', ''));
  return distance(a ?? '', b ?? '') <= (known.length > 6 ? 2 : 1) || (known === 'OFFERS' && name.startsWith('OFFERS'));
}

/** How many letters must be inserted, removed or replaced. @param {string} a @param {string} b */
function distance(a, b) {
  let row = Array.from({length: b.length + 1}, (_, column) => column);
  for (const [line, letter] of [...a].entries()) {
    /** @type {number[]} */
    const next = [line + 1];
    for (const [column, other] of [...b].entries())
      next.push(
        Math.min((row[column] ?? 0) + (letter === other ? 0 : 1), (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
