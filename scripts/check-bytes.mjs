// @ts-check
/**
 * Compares what a page loads, in bytes after `gzip -9`, with a limit for each row. Measures the built site (`dist/site`,
 * or the folder in the first argument) and the built merchant client, and exits with code 1 if a row is over its limit.
 */

import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {gzipSync} from 'node:zlib';
import {repoPath} from './lib/repo.mjs';
import {samplePageData} from './lib/sample-page-data.mjs';

const site = path.resolve(process.argv[2] ?? repoPath('dist', 'site'));
const client = repoPath('dist', 'merchant', 'index.js');
/** The packed size above which the step warns. */
const LARGE_PACKAGE_BYTES = 5_000_000;

const files = readdirSync(site, {recursive: true, encoding: 'utf8'}).map((file) => file.split(path.sep).join('/'));
/** @param {string | Buffer} content */
const gzipped = (content) => gzipSync(content, {level: 9}).length;
/** @param {string} file */
const read = (file) => readFileSync(path.join(site, file), 'utf8');
/** @param {string} file */
const bytesOf = (file) => gzipped(read(file));

/** The first file of a kind of elements, with the data that the Worker writes into it. @param {'checkout' | 'subscribe'} name */
function bytesWithData(name) {
  const template = files.find((file) => file.endsWith(`/single/${name}.js`)) ?? '';
  return gzipped(read(template).replace('"__VEZNE_PAGE_DATA__"', () => JSON.stringify(samplePageData[name])));
}

/** A later file of a kind of elements. @param {string} kind @param {string} name - Without its digest. */
function laterFile(kind, name) {
  const file = files.find((each) => each.split(`/${kind}/${name}-`)[1]?.length === '12345678.js'.length);
  if (!file) throw new Error(`There is no later file ${name} of ${kind}.js.`);
  return file;
}

/** The later files, and the files that they import. @param {string} kind @param {string[]} names */
function bytesOfLater(kind, ...names) {
  const loaded = new Set(names.map((name) => laterFile(kind, name)));
  for (const file of loaded)
    for (const [, name = ''] of read(file).matchAll(/from\s*["'`]\.\/([\w-]+\.js)["'`]/g))
      loaded.add(`${path.posix.dirname(file)}/${name}`);
  return [...loaded].reduce((sum, file) => sum + bytesOf(file), 0);
}

const sheet = bytesOf('vezne.css');
const loader = bytesOf('vezne.js');
const tracker = bytesOf('activity.js');
const first = {
  checkout: bytesWithData('checkout'),
  subscribe: bytesWithData('subscribe'),
  vendor: bytesOf('vendor.js'),
  refund: bytesOf('refund.js'),
};
/** The texts of the payment step, in the longer language. */
const texts = Math.max(...['payment-tr', 'payment-en'].map((name) => bytesOf(laterFile('checkout', name))));
/** Each file that defines elements, without the files that it loads only in rare states. */
const elements =
  loader +
  tracker +
  first.checkout +
  first.subscribe +
  first.vendor +
  texts +
  ['payment', 'hosted'].reduce((sum, name) => sum + bytesOf(laterFile('checkout', name)), 0) +
  ['one-click', 'subscription'].reduce((sum, name) => sum + bytesOf(laterFile('subscribe', name)), 0);

/** What the first view of the desk loads: its document, and the files that this names. */
const deskPage = read('desk/page.txt');
const deskBytes = [...deskPage.matchAll(/"\/(desk\/desk-[\w.-]+)"/g)].reduce(
  (sum, [, file = '']) => sum + bytesOf(file),
  gzipped(deskPage),
);

/** @type {[name: string, bytes: number, limit: number][]} */
const rows = [
  ['vezne.js', loader, 950],
  ['vezne.css', sheet, 1_300],
  ['activity.js', tracker, 1_650],
  ['checkout.js', first.checkout, 20_800],
  ['subscribe.js', first.subscribe, 18_400],
  ['vendor.js', first.vendor, 13_650],
  ['refund.js', first.refund, 18_150],
  ['a transfer until its code', sheet + first.checkout + bytesOfLater('checkout', 'payment') + texts, 40_450],
  [
    'a subscription until its end',
    sheet + first.subscribe + bytesOfLater('subscribe', 'pin-entry', 'subscription-end'),
    30_700,
  ],
  ['all elements', elements, 89_000],
  ['the desk without its pictures', deskBytes, 45_000],
  ['vezne/merchant', gzipped(readFileSync(client)), 6_000],
];

for (const [name, bytes, limit] of rows)
  console.log(`${bytes > limit ? 'OVER' : 'ok  '}  ${name.padEnd(30)} ${String(bytes).padStart(6)} of ${limit} bytes`);
const packing = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
  cwd: repoPath(),
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
  shell: process.platform === 'win32',
});
const [{unpackedSize}] = JSON.parse(packing);
console.log(`\nThe package has ${(unpackedSize / 1_000_000).toFixed(1)} MB.`);
if (unpackedSize > LARGE_PACKAGE_BYTES) console.warn('Warning: users will notice the size of the package.');
process.exitCode = rows.some(([, bytes, limit]) => bytes > limit) ? 1 : 0;
