// @ts-check
// Which elements of a page are defined by no script, are misspelt, or sell no offer of the Worker.

import {ELEMENT_SCRIPTS} from '../worker-config.mjs';

/** @typedef {import('./page-check.mjs').Finding} Finding */
/** @typedef {import('./page-check.mjs').Script} Script */
/** @typedef {import('./tags.mjs').Tag} Tag */
/** What the Worker says of an offer. @typedef {'payment' | 'subscription' | 'expired' | 'unknown'} OfferState */

/** The first offers of a page are asked for. */
const MAX_OFFERS = 10;

/** The elements that take each kind of offer. */
const TAKES = {payment: 'vezne-checkout', subscription: 'vezne-pin-subscribe'};

/** @param {string} message @param {string} [action] @returns {Finding} */
const failed = (message, action) => ({name: 'elements', state: 'failed', message, ...(action && {action})});

/** @param {string} tag */
const scriptOf = (tag) => (Object.hasOwn(ELEMENT_SCRIPTS, tag) ? ELEMENT_SCRIPTS[tag] : undefined);

/** @param {readonly Tag[]} tags @param {readonly Script[]} scripts @returns {Finding[]} */
export function findElementProblems(tags, scripts) {
  const names = [...new Set(tags.map(({name}) => name).filter((name) => name.startsWith('vezne-')))];
  const unknown = names.filter((name) => scriptOf(name) === undefined);
  // A bundle may define elements, if the page has no script of ours.
  const isServed = (/** @type {string | undefined} */ script) =>
    scripts.length === 0 ||
    scripts.some(
      ({name}) =>
        name === 'vezne' || name === script || (script === 'activity' && (name === 'checkout' || name === 'subscribe')),
    );
  return [
    ...unknown.map((name) =>
      failed(`There is no element <${name}>.`, `There are ${Object.keys(ELEMENT_SCRIPTS).join(', ')}.`),
    ),
    ...names
      .filter((name) => scriptOf(name) !== undefined && !isServed(scriptOf(name)))
      .map((name) =>
        failed(`No script of the page defines <${name}>.`, `Add the tag of ${scriptOf(name)}.js, or of vezne.js.`),
      ),
  ];
}

/** The elements that name an offer of this Worker. @param {readonly Tag[]} tags @param {URL} page @param {URL} worker */
const withOffer = (tags, page, worker) =>
  tags.flatMap(({name, attributes}) => {
    const [offer, api] = [attributes.get('offer'), attributes.get('api')];
    if (scriptOf(name) === undefined || !offer || attributes.get('session')) return [];
    return !api || (URL.canParse(api, page.href) && new URL(api, page).origin === worker.origin) ? [{name, offer}] : [];
  });

/**
 * The offers to ask for, and what to say of the rest.
 * @param {readonly Tag[]} tags @param {URL} page @param {URL} worker @returns {{names: string[], omitted: Finding[]}}
 */
export function offersOf(tags, page, worker) {
  const names = [...new Set(withOffer(tags, page, worker).map(({offer}) => offer))];
  const message = `The page names ${names.length} offers, of which the first ${MAX_OFFERS} were checked.`;
  const action = 'Check the others with a page that names only them.';
  return {
    names: names.slice(0, MAX_OFFERS),
    omitted: names.length > MAX_OFFERS ? [{name: 'elements', state: 'warning', message, action}] : [],
  };
}

/**
 * @param {readonly Tag[]} tags
 * @param {URL} page
 * @param {URL} worker
 * @param {ReadonlyMap<string, OfferState>} offers - What the Worker says of them.
 * @returns {Finding[]}
 */
export function findOfferProblems(tags, page, worker, offers) {
  return withOffer(tags, page, worker).flatMap(({name, offer}) => {
    const state = offers.get(offer);
    if (state === undefined) return [];
    if (state === 'unknown')
      return [
        failed(
          `<${name}> names the offer "${offer}", which the Worker does not have.`,
          'Add it to OFFERS, and deploy.',
        ),
      ];
    if (state === 'expired') return [failed(`The offer "${offer}" of <${name}> has expired.`)];
    const takes = scriptOf(name) === 'checkout' ? 'payment' : 'subscription';
    return takes === state
      ? []
      : [failed(`<${name}> names "${offer}", which is a ${state} offer.`, `Write <${TAKES[state]}>.`)];
  });
}

/**
 * Reads from an offer's own page what it is.
 * @param {number} status
 * @param {string} html
 * @returns {OfferState | undefined}
 */
export function readOfferState(status, html) {
  if (status === 404) return 'unknown';
  if (status === 410) return 'expired';
  if (status !== 200) return undefined;
  return /<vezne-(?:pin-subscribe|one-click)\b/.test(html) ? 'subscription' : 'payment';
}
