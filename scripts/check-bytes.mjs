/**
 * What a page loads, in bytes after `gzip -9`, against what it may. Looks at the built site (`dist/site`, or the
 * folder named as the first argument), prints a table and exits 1 when something is over.
 */
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';

/** What a page gets at first that has one of these elements: the script tag, a file, and all that file needs. */
const PAGES = [
  {file: 'choosing', name: 'page with vezne-checkout', budget: 20_000},
  {file: 'subscribing', name: 'page with vezne-pin-subscribe', budget: 17_500},
  {file: 'confirming', name: 'page with vezne-one-click', budget: 21_500},
  {file: 'managing', name: 'page with vezne-subscription', budget: 20_500},
  {file: 'hosted', name: 'page with vezne-pay-button', budget: 25_500},
  {file: 'registering', name: 'page with vezne-vendor-form', budget: 15_000},
];

/** What comes when it is needed. */
const LATER = [
  {file: 'paying', name: 'with the code', budget: 10_500},
  {file: 'entering-pin', name: 'while a number is typed', budget: 1_800},
  {file: 'done-card', name: 'with it', budget: 2_400},
  {file: 'handing-off', name: 'the QR code, when opened', budget: 5_000},
  {file: 'counting', name: 'to count, beside others', budget: 1_500},
  {file: 'receiving', name: 'on a second device', budget: 2_500},
  {file: 'human-check', name: 'a human check, when asked for', budget: 1_000},
  {file: 'why-unanswered', name: 'when nobody answers', budget: 600},
  {file: 'refusals', name: 'a payment refused', budget: 1_500},
  {file: 'subscription-refusals', name: 'a subscription refused', budget: 2_200},
];

/** @param {string} file */
const weigh = (file) => gzipSync(readFileSync(file), {level: 9}).length;

/** Everything there is, each file on its own. */
const ALL = 62_000;

/**
 * Measures a built site, and the built client.
 * @param {string} site
 * @param {string} client
 */
export function measureBytes(site, client) {
  const script = weigh(join(site, 'vezne.js'));
  const files = new Map(
    readdirSync(join(site, 'vezne'), {recursive: true, encoding: 'utf8'})
      .filter((file) => file.endsWith('.js'))
      .map((file) => [/([\w-]+?)-[\w-]{8}\.js$/.exec(file)?.[1] ?? file, join(site, 'vezne', file)]),
  );
  /** @param {string} name */
  const fileOf = (name) => files.get(name) ?? '';
  /**
   * A file and all it needs.
   * @param {string} name
   * @returns {string[]}
   */
  const withNeeds = (name) => {
    const code = String(readFileSync(fileOf(name)));
    const needs = [...code.matchAll(/from\s*["']\.\/([\w-]+?)-[\w-]{8}\.js["']/g)].flatMap(([, need = '']) => withNeeds(need));
    return [...new Set([name, ...needs])];
  };
  /** @param {string[]} names */
  const sum = (names) => names.reduce((total, name) => total + weigh(fileOf(name)), 0);
  const known = new Set([...PAGES, ...LATER].flatMap(({file}) => withNeeds(file)));
  const unknown = [...files.keys()].filter((name) => !known.has(name));
  return [
    {name: 'script tag (vezne.js)', bytes: script, budget: 1_500},
    {name: 'tracker (activity.js)', bytes: weigh(join(site, 'activity.js')), budget: 1_400},
    ...PAGES.map(({file, name, budget}) => ({name, bytes: script + sum(withNeeds(file)), budget})),
    ...LATER.map(({file, name, budget}) => ({name, bytes: weigh(fileOf(file)), budget})),
    {name: 'everything', bytes: script + sum([...files.keys()]), budget: ALL},
    {name: 'server’s client (merchant)', bytes: weigh(join(client, 'index.js')), budget: 6_000},
    ...unknown.map((name) => ({name: `${name}, which nobody needs`, bytes: weigh(fileOf(name)), budget: 0})),
  ].map(({name, bytes, budget}) => ({name, bytes, budget, passed: bytes <= budget}));
}

if (process.argv[1] === import.meta.filename) {
  const rows = measureBytes(process.argv[2] ?? 'dist/site', 'dist/merchant');
  for (const {name, bytes, budget, passed} of rows) {
    console.log(`${passed ? 'ok  ' : 'OVER'}  ${name.padEnd(30)} ${String(bytes).padStart(6)} of ${budget} bytes`);
  }
  process.exitCode = rows.every(({passed}) => passed) ? 0 : 1;
}
