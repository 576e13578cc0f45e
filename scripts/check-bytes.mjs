/**
 * Compares the number of bytes that a page loads, after `gzip -9`, with a budget for each kind of page. Measures the
 * built site (`dist/site`, or the folder in the first argument), prints a table, and exits with code 1 if a page or
 * file is over its budget.
 */

import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {samplePageData} from './lib/sample-page-data.mjs';

/** A page with one of these elements loads `vezne.js`, then `file`, together with the files that `file` imports. */
const PAGES = [
  {file: 'transfer/checkout', name: 'page with vezne-checkout', budget: 19_310},
  {file: 'transfer/payment', name: 'page with vezne-payment-code', budget: 36_700},
  {file: 'transfer/hosted', name: 'page with vezne-pay-button', budget: 25_925},
  {file: 'subscription/pin-subscribe', name: 'page with vezne-pin-subscribe', budget: 18_520},
  {file: 'subscription/one-click', name: 'page with vezne-one-click', budget: 23_880},
  {file: 'subscription/subscription', name: 'page with vezne-subscription', budget: 22_480},
  {file: 'vendor/vendor-form', name: 'page with vezne-vendor-form', budget: 14_305},
  {file: 'activity/activity', name: 'page with vezne-activity', budget: 3_000},
  {file: 'all/all', name: 'page with all elements', budget: 51_910},
];

/** Page scripts, with the data that the Worker writes into them. */
const PAGE_SCRIPTS = [
  {file: 'checkout', name: 'checkout.js with 12 banks', data: samplePageData.checkout, budget: 20_000},
  {file: 'subscribe', name: 'subscribe.js with an offer', data: samplePageData.subscribe, budget: 18_100},
];

/** Files that a page loads only when it needs them. If several kinds have a copy, the largest copy is measured. */
const LAZY_CHUNKS = [
  {name: 'payment step', file: 'payment', budget: 17_600},
  {name: 'pay button, payment notice', file: 'hosted', budget: 6_750},
  {name: 'end of a payment', file: 'outcome', budget: 3_650},
  {name: 'one click, subscribe.js', file: 'subscribe/one-click', budget: 2_830},
  {name: 'subscription, subscribe.js', file: 'subscribe/subscription', budget: 3_100},
  {name: 'PIN form after one click', file: 'subscribe/pin-subscribe', budget: 100},
  {name: 'bank list, rare parts', file: 'bank-list-extras', budget: 1_400},
  {name: 'QR code', file: 'handoff', budget: 5_000},
  {name: 'hand-off link', file: 'incoming', budget: 2_500},
  {name: 'PIN entry', file: 'pin-entry', budget: 4_150},
  {name: 'enrollment of a number', file: 'enrollment', budget: 2_300},
  {name: 'end of a sign-up', file: 'subscription-end', budget: 2_450},
  {name: 'contacts of the seller', file: 'seller', budget: 1_000},
  {name: 'human check', file: 'human-check', budget: 1_550},
  {name: 'Worker unreachable', file: 'diagnose-unreachable', budget: 600},
  {name: 'offer unknown', file: 'log-unknown-offer', budget: 400},
  {name: 'payment refused', file: 'payment-refusals', budget: 1_850},
  {name: 'subscription refused', file: 'subscription-refusals', budget: 2_860},
  {name: 'vendor refused', file: 'vendor-refusals', budget: 700},
];

/**
 * A page script as the Worker serves it.
 * @param {string} folder
 * @param {string} file
 * @param {object} data
 */
function withPageData(folder, file, data) {
  const template = readdirSync(folder, {recursive: true, encoding: 'utf8'}).find((path) =>
    path.endsWith(join('single', `${file}.js`)),
  );
  const code = String(readFileSync(join(folder, template ?? '')));
  return code.replace('"__VEZNE_PAGE_DATA__"', () => JSON.stringify(data));
}

/** @param {string} file */
const gzippedBytes = (file) => gzipSync(readFileSync(file), {level: 9}).length;

/**
 * Measures a built site and the built merchant client.
 * @param {string} site
 * @param {string} client
 */
export function measureBytes(site, client) {
  const script = gzippedBytes(join(site, 'vezne.js'));
  const folder = join(site, 'vezne');
  /** The path of each file, by its kind and name (`transfer/checkout`). */
  const files = new Map(
    readdirSync(folder, {recursive: true, encoding: 'utf8'}).flatMap((file) => {
      const [, name] = /([\w-]+\/[\w-]+?)-[\w-]{8}\.js$/.exec(file) ?? [];
      return name === undefined ? [] : [/** @type {const} */ ([name, join(folder, file)])];
    }),
  );
  /** @param {string} name */
  const fileOf = (name) => files.get(name) ?? '';
  /**
   * The name of a file, and the names of all files that it imports statically, directly or through other files.
   * @param {string} name
   * @returns {string[]}
   */
  const withImports = (name) => {
    const kind = name.slice(0, name.indexOf('/') + 1);
    const code = String(readFileSync(fileOf(name)));
    const imports = [...code.matchAll(/from\s*["']\.\/([\w-]+?)-[\w-]{8}\.js["']/g)].flatMap(([, imported = '']) =>
      withImports(kind + imported),
    );
    return [...new Set([name, ...imports])];
  };
  /** @param {string[]} names */
  const sum = (names) => names.reduce((total, name) => total + gzippedBytes(fileOf(name)), 0);
  /** The names of all copies of a chunk: each kind that uses the chunk has its own copy. */
  const copiesOf = (/** @type {string} */ chunk) =>
    [...files.keys()].filter((name) => name === chunk || name.endsWith(`/${chunk}`));
  const known = new Set([
    ...PAGES.flatMap(({file}) => withImports(file)),
    ...LAZY_CHUNKS.flatMap(({file}) => copiesOf(file)).flatMap(withImports),
  ]);
  const unknown = [...files.keys()].filter((name) => !known.has(name));
  return [
    {name: 'script tag (vezne.js)', bytes: script, budget: 1_500},
    {name: 'tracker (activity.js)', bytes: gzippedBytes(join(site, 'activity.js')), budget: 1_400},
    ...PAGES.map(({file, name, budget}) => ({name, bytes: script + sum(withImports(file)), budget})),
    ...PAGE_SCRIPTS.map(({file, name, data, budget}) => ({
      name,
      bytes: gzipSync(withPageData(folder, file, data), {level: 9}).length,
      budget,
    })),
    ...LAZY_CHUNKS.map(({file, name, budget}) => ({
      name,
      bytes: Math.max(...copiesOf(file).map((copy) => gzippedBytes(fileOf(copy)))),
      budget,
    })),
    {name: 'merchant client (server)', bytes: gzippedBytes(join(client, 'index.js')), budget: 6_000},
    ...unknown.map((name) => ({name: `${name} (without a budget)`, bytes: gzippedBytes(fileOf(name)), budget: 0})),
  ].map(({name, bytes, budget}) => ({name, bytes, budget, passed: bytes <= budget}));
}

if (process.argv[1] === import.meta.filename) {
  const rows = measureBytes(process.argv[2] ?? 'dist/site', 'dist/merchant');
  for (const {name, bytes, budget, passed} of rows) {
    console.log(`${passed ? 'ok  ' : 'OVER'}  ${name.padEnd(30)} ${String(bytes).padStart(6)} of ${budget} bytes`);
  }
  process.exitCode = rows.every(({passed}) => passed) ? 0 : 1;
}
