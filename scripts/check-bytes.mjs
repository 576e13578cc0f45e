/**
 * What a page loads, in bytes after `gzip -9`, against what it may. Looks at the built site (`dist/site`, or the
 * folder named as the first argument), prints a table and exits 1 when something is over.
 */

import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';

/** What a page gets at first that has one of these elements: the script tag, a file, and all that file needs. */
const PAGES = [
  {file: 'transfer/checkout', name: 'page with vezne-checkout', budget: 19_000},
  {file: 'transfer/payment', name: 'page with vezne-payment-code', budget: 30_200},
  {file: 'transfer/hosted', name: 'page with vezne-pay-button', budget: 23_900},
  {file: 'subscription/pin-subscribe', name: 'page with vezne-pin-subscribe', budget: 17_000},
  {file: 'subscription/one-click', name: 'page with vezne-one-click', budget: 22_100},
  {file: 'subscription/subscription', name: 'page with vezne-subscription', budget: 19_700},
  {file: 'vendor/vendor-form', name: 'page with vezne-vendor-form', budget: 13_400},
  {file: 'activity/activity', name: 'page with vezne-activity', budget: 3_000},
  {file: 'all/all', name: 'page with all elements', budget: 41_000},
];

/** What comes when it is needed, whatever the kind. */
const LAZY_CHUNKS = [
  {name: 'with the code', file: 'payment', budget: 11_200},
  {name: 'the QR code, when opened', file: 'handoff', budget: 5_000},
  {name: 'on a second device', file: 'incoming', budget: 2_500},
  {name: 'while a number is typed', file: 'pin-entry', budget: 1_850},
  {name: 'with it', file: 'enrollment', budget: 2_700},
  {name: 'a human check, when asked for', file: 'human-check', budget: 1_300},
  {name: 'when nobody answers', file: 'diagnose-unreachable', budget: 600},
  {name: 'when nothing is on offer', file: 'log-unknown-offer', budget: 400},
  {name: 'a payment refused', file: 'payment-refusals', budget: 1_500},
  {name: 'a subscription refused', file: 'subscription-refusals', budget: 2_200},
  {name: 'a vendor refused', file: 'vendor-refusals', budget: 700},
];

/** @param {string} file */
const gzippedBytes = (file) => gzipSync(readFileSync(file), {level: 9}).length;

/**
 * Measures a built site, and the built client.
 * @param {string} site
 * @param {string} client
 */
export function measureBytes(site, client) {
  const script = gzippedBytes(join(site, 'vezne.js'));
  const folder = join(site, 'vezne');
  /** By kind and name: `transfer/checkout`. */
  const files = new Map(
    readdirSync(folder, {recursive: true, encoding: 'utf8'}).flatMap((file) => {
      const [, name] = /([\w-]+\/[\w-]+?)-[\w-]{8}\.js$/.exec(file) ?? [];
      return name === undefined ? [] : [/** @type {const} */ ([name, join(folder, file)])];
    }),
  );
  /** @param {string} name */
  const fileOf = (name) => files.get(name) ?? '';
  /**
   * A file and all it needs.
   * @param {string} name
   * @returns {string[]}
   */
  const withNeeds = (name) => {
    const kind = name.slice(0, name.indexOf('/') + 1);
    const code = String(readFileSync(fileOf(name)));
    const needs = [...code.matchAll(/from\s*["']\.\/([\w-]+?)-[\w-]{8}\.js["']/g)].flatMap(([, need = '']) =>
      withNeeds(kind + need),
    );
    return [...new Set([name, ...needs])];
  };
  /** @param {string[]} names */
  const sum = (names) => names.reduce((total, name) => total + gzippedBytes(fileOf(name)), 0);
  const copiesOf = (/** @type {string} */ later) => [...files.keys()].filter((name) => name.endsWith(`/${later}`));
  const known = new Set([
    ...PAGES.flatMap(({file}) => withNeeds(file)),
    ...LAZY_CHUNKS.flatMap(({file}) => copiesOf(file)).flatMap(withNeeds),
  ]);
  const unknown = [...files.keys()].filter((name) => !known.has(name));
  return [
    {name: 'script tag (vezne.js)', bytes: script, budget: 1_500},
    {name: 'tracker (activity.js)', bytes: gzippedBytes(join(site, 'activity.js')), budget: 1_400},
    ...PAGES.map(({file, name, budget}) => ({name, bytes: script + sum(withNeeds(file)), budget})),
    ...LAZY_CHUNKS.map(({file, name, budget}) => ({
      name,
      bytes: Math.max(...copiesOf(file).map((copy) => gzippedBytes(fileOf(copy)))),
      budget,
    })),
    {name: 'server’s client (merchant)', bytes: gzippedBytes(join(client, 'index.js')), budget: 6_000},
    ...unknown.map((name) => ({name: `${name}, which nobody needs`, bytes: gzippedBytes(fileOf(name)), budget: 0})),
  ].map(({name, bytes, budget}) => ({name, bytes, budget, passed: bytes <= budget}));
}

if (process.argv[1] === import.meta.filename) {
  const rows = measureBytes(process.argv[2] ?? 'dist/site', 'dist/merchant');
  for (const {name, bytes, budget, passed} of rows) {
    console.log(`${passed ? 'ok  ' : 'OVER'}  ${name.padEnd(30)} ${String(bytes).padStart(6)} of ${budget} bytes`);
  }
  process.exitCode = rows.every(({passed}) => passed) ? 0 : 1;
}
