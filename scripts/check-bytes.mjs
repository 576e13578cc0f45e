/**
 * Compares the number of bytes that a page loads, after `gzip -9`, with a budget for each kind of page. Measures the
 * built site (`dist/site`, or the folder in the first argument), prints a table, and exits with code 1 if a page or
 * file is over its budget.
 */

import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {samplePageData} from './lib/sample-page-data.mjs';

/** The script of each kind of elements, with the data that the Worker writes into it. A page loads it first. */
const PAGE_SCRIPTS = [
  {file: 'checkout', name: 'checkout.js with 12 banks', data: samplePageData.checkout, budget: 20_000},
  {file: 'subscribe', name: 'subscribe.js with an offer', data: samplePageData.subscribe, budget: 18_300},
  // With its problems, an element says what is certain about the money.
  {file: 'vendor', name: 'vendor.js', data: null, budget: 13_400},
  {file: 'refund', name: 'refund.js', data: null, budget: 17_400},
];

/** Files that a page loads only when it needs them. If several scripts have a copy, the largest copy is measured. */
const LAZY_CHUNKS = [
  // Two accounts of one bank have to be told apart, so this file compares ids and codes. It also knows money that came
  // too late or in part, money that is on its way back, and two columns. Its event has the same fields for offers and
  // sessions. The status promises no money from another bank in the last hour, and no update without a connection. The
  // code alone ends in the card that ends a payment.
  // 100 bytes say that the account is missing, and that a lost connection does not touch the payment.
  {name: 'payment step', file: 'payment', budget: 19_450},
  // After Back from one page, the other button asks before it offers its own. The notice knows today and yesterday.
  // Each button names its way to pay. This file also reads return URLs.
  {name: 'pay button, payment notice', file: 'hosted', budget: 7_900},
  // A cancelled order has a sign of its own; an ended session has one way on.
  {name: 'wait and end of a payment', file: 'outcome', budget: 5_700},
  {name: 'one click', file: 'one-click', budget: 3_010},
  // It claims neither a state nor a next payment while the outcome of a cancellation is unknown.
  {name: 'subscription', file: 'subscription', budget: 3_260},
  {name: 'bank list, rare parts', file: 'bank-list-extras', budget: 1_400},
  {name: 'QR code', file: 'handoff', budget: 5_000},
  {name: 'hand-off link', file: 'incoming', budget: 2_500},
  {name: 'PIN entry', file: 'pin-entry', budget: 4_250},
  {name: 'enrollment of a number', file: 'enrollment', budget: 2_300},
  // An old start no longer promises an SMS. A refusal says that nothing was charged.
  {name: 'end of a sign-up', file: 'subscription-end', budget: 2_660},
  {name: 'contacts of the seller', file: 'seller', budget: 1_000},
  {name: 'human check', file: 'human-check', budget: 1_550},
  {name: 'Worker unreachable', file: 'diagnose-unreachable', budget: 600},
  {name: 'offer unknown', file: 'log-unknown-offer', budget: 400},
  // A limit says when the next try is.
  {name: 'payment refused', file: 'payment-refusals', budget: 2_300},
  {name: 'subscription refused', file: 'subscription-refusals', budget: 2_880},
  {name: 'vendor refused', file: 'vendor-refusals', budget: 700},
  {name: 'refund link refused', file: 'refund-refusals', budget: 900},
];

/** The files that define further elements. With the scripts, they are all elements. */
const LATER_ELEMENTS = ['payment', 'hosted', 'one-click', 'subscription'];
const MAX_ALL_ELEMENTS = 87_300;

/** @param {string | Buffer} content */
const gzippedBytes = (content) => gzipSync(content, {level: 9}).length;

/** @param {string} file */
const bytesOf = (file) => gzippedBytes(readFileSync(file));

/**
 * Measures a built site and the built merchant client.
 * @param {string} site
 * @param {string} client
 */
export function measureBytes(site, client) {
  const folder = join(site, 'vezne');
  const paths = readdirSync(folder, {recursive: true, encoding: 'utf8'});
  /** @param {string} name @param {object | null} data */
  const bytesOfScript = (name, data) => {
    const template = paths.find((path) => path.endsWith(join('single', `${name}.js`)));
    const code = String(readFileSync(template ? join(folder, template) : join(site, `${name}.js`)));
    return gzippedBytes(code.replace('"__VEZNE_PAGE_DATA__"', () => JSON.stringify(data)));
  };
  /** The later files, by their names without digest. */
  const later = Map.groupBy(
    paths.flatMap((path) => {
      const [, name = ''] = /[/\\]([\w-]+?)-[\w-]{8}\.js$/.exec(path) ?? [];
      return name ? [{name, content: String(readFileSync(join(folder, path)))}] : [];
    }),
    ({name}) => name,
  );
  /** @param {string} name */
  const bytesOfLater = (name) => Math.max(...(later.get(name) ?? []).map(({content}) => gzippedBytes(content)));
  const finder = bytesOf(join(site, 'vezne.js'));
  const tracker = bytesOf(join(site, 'activity.js'));
  const scripts = PAGE_SCRIPTS.map(({file, data, name, budget}) => ({name, budget, bytes: bytesOfScript(file, data)}));
  const lazy = LAZY_CHUNKS.map(({file, name, budget}) => ({name, budget, bytes: bytesOfLater(file)}));
  // A refund link has a page of its own, which shows no other element.
  const together = scripts.filter(({name}) => name !== 'refund.js').map(({bytes}) => bytes);
  const all = [finder, tracker, ...together, ...LATER_ELEMENTS.map(bytesOfLater)];
  /** Files with a budget, and the small files that several of these import. */
  const known = new Set([
    ...LAZY_CHUNKS.map(({file}) => file),
    ...[...later.values()]
      .flat()
      .flatMap(({content}) => [...content.matchAll(/from"\.\/([\w-]+?)-[\w-]{8}\.js"/g)].map(([, name = '']) => name)),
  ]);
  const unknown = [...later.keys()].filter((name) => !known.has(name));
  return [
    {name: 'script tag (vezne.js)', bytes: finder, budget: 900},
    {name: 'style sheet (vezne.css)', bytes: bytesOf(join(site, 'vezne.css')), budget: 1_480},
    {name: 'tracker (activity.js)', bytes: tracker, budget: 1_400},
    ...scripts,
    ...paths
      .filter((path) => /^[\d.]+[/\\]checkout\.js$/.test(path))
      .map((path) => ({name: `pinned ${path}`, bytes: bytesOf(join(folder, path)), budget: 26_000})),
    ...lazy,
    {name: 'all elements', bytes: all.reduce((total, bytes) => total + bytes, 0), budget: MAX_ALL_ELEMENTS},
    {name: 'merchant client (server)', bytes: bytesOf(join(client, 'index.js')), budget: 6_000},
    ...unknown.map((name) => ({name: `${name} (without a budget)`, bytes: bytesOfLater(name), budget: 0})),
  ].map(({name, bytes, budget}) => ({name, bytes, budget, passed: bytes <= budget}));
}

if (process.argv[1] === import.meta.filename) {
  const rows = measureBytes(process.argv[2] ?? 'dist/site', 'dist/merchant');
  for (const {name, bytes, budget, passed} of rows) {
    console.log(`${passed ? 'ok  ' : 'OVER'}  ${name.padEnd(30)} ${String(bytes).padStart(6)} of ${budget} bytes`);
  }
  process.exitCode = rows.every(({passed}) => passed) ? 0 : 1;
}
