/**
 * What a page loads, and what a merchant's server does, in bytes after `gzip -9`, against what it may. Looks at the built
 * site (`dist/site`, or the folder named as the first argument) and client, prints a table and exits 1 when something is over.
 */
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';

const BUDGETS = {script: 1_500, checkoutPage: 20_000, client: 6_000};

/** What comes only when it is shown: name of the chunk, what for, and what it may weigh. */
const LATER = [
  {chunk: 'paying', name: 'then, with the code', budget: 8_500},
  {chunk: 'handing-off', name: 'the QR code, when opened', budget: 5_000},
  {chunk: 'redeem', name: 'on a second device', budget: 1_000},
  {chunk: 'why-unanswered', name: 'when nobody answers', budget: 600},
  {chunk: 'refusals', name: 'when something is refused', budget: 1_500},
];

/** @param {string} file */
const weigh = (file) => gzipSync(readFileSync(file), {level: 9}).length;

/** @param {string} name */
const isLater = (name) => LATER.some(({chunk}) => chunk === name);

/**
 * Measures a built site, and the built client. The checkout page is its script tag and all chunks that brings: every
 * chunk counts that is not known to come later.
 * @param {string} site
 * @param {string} client
 */
export function measureBytes(site, client) {
  const script = weigh(join(site, 'vezne.js'));
  const chunks = readdirSync(join(site, 'vezne'), {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith('.js'))
    .map((file) => ({name: /([\w-]+?)-[\w-]{8}\.js$/.exec(file)?.[1] ?? file, bytes: weigh(join(site, 'vezne', file))}));
  /** @param {(name: string) => boolean} wanted */
  const bytesOf = (wanted) => chunks.filter(({name}) => wanted(name)).map(({bytes}) => bytes);
  const first = bytesOf((name) => !isLater(name)).reduce((sum, bytes) => sum + bytes, script);
  return [
    {name: 'script tag (vezne.js)', bytes: script, budget: BUDGETS.script},
    {name: 'page with vezne-checkout', bytes: first, budget: BUDGETS.checkoutPage},
    ...LATER.map(({chunk, name, budget}) => ({name, bytes: bytesOf((each) => each === chunk)[0] ?? Infinity, budget})),
    {name: 'server’s client (merchant)', bytes: weigh(join(client, 'index.js')), budget: BUDGETS.client},
  ].map(({name, bytes, budget}) => ({name, bytes, budget, passed: bytes <= budget}));
}

if (process.argv[1] === import.meta.filename) {
  const rows = measureBytes(process.argv[2] ?? 'dist/site', 'dist/merchant');
  for (const {name, bytes, budget, passed} of rows) {
    console.log(`${passed ? 'ok  ' : 'OVER'}  ${name.padEnd(26)} ${String(bytes).padStart(6)} of ${budget} bytes`);
  }
  process.exitCode = rows.every(({passed}) => passed) ? 0 : 1;
}
