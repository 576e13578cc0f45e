// @ts-check
// Bundles the Worker and the sandbox as a deployment would, without deploying. Checks the Worker's size, and that it has
// no description of the merchant API (docs/decisions/merchant-api.md).

import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {gzipSync} from 'node:zlib';
import {openApiDocument} from './build/openapi.mjs';
import {bundleWorker} from './build/worker-package.mjs';
import {repoPath, UserError} from './lib/repo.mjs';

/**
 * Maximum gzipped size of the Worker. A Worker of this size starts fast enough in every data center. The goal is 150 kB:
 * it was kept until the Worker followed charges, notices, parts and refunds of the merchant's server to their end, read
 * a platform that limits its calls, and had trials, pending money and cancelled orders. 1 kB more tells money that is
 * overdue or on its way back, and pending money of a deleted order, and lets a second device send a notice.
 * 31 kB more, which no page waits for, are what the Worker now does in place of a shop's own server: offers, their pages
 * and refund links (14), the books (11), keys of one shop and account limits (6). Most is loaded by its first request.
 * 5 kB more tell who did what in an order's timeline, forget a person everywhere, also during a sweep, and list money of
 * cancelled orders and every refund that failed.
 * 1 kB more finds a subscription that began while mobile billing did not answer, and forgets money by its id.
 */
const BUDGET_KB = 195;

/** @param {string} outdir */
const gzippedKb = (outdir) =>
  readdirSync(outdir)
    .filter((file) => /\.(js|mjs|wasm)$/.test(file))
    .reduce((bytes, file) => bytes + gzipSync(readFileSync(path.join(outdir, file)), {level: 9}).length, 0) / 1000;

/**
 * The texts of the API description. A bundle escapes other characters than ASCII, so only texts without them are found.
 * @param {unknown} value
 * @returns {string[]}
 */
function descriptionsIn(value) {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    typeof each !== 'string'
      ? descriptionsIn(each)
      : ['summary', 'description'].includes(name) && /^[\x20-\x7e]{20,}$/.test(each)
        ? [each]
        : [],
  );
}

try {
  const out = repoPath('.cache', 'deploy');
  bundleWorker('sandbox/wrangler.toml', path.join(out, 'sandbox'));
  bundleWorker('wrangler.toml', path.join(out, 'worker'));
  const size = gzippedKb(path.join(out, 'worker'));
  console.log(`Worker: ${size.toFixed(1)} kB of ${BUDGET_KB} kB gzipped`);
  const bundle = readFileSync(path.join(out, 'worker', 'index.js'), 'utf8');
  const description = descriptionsIn(openApiDocument().paths).find((text) => bundle.includes(text));
  if (description)
    throw new UserError(`Guard this text with DESCRIBED, because the Worker never reads it: ${description}`);
  if (size > BUDGET_KB) throw new UserError(`The Worker is ${(size - BUDGET_KB).toFixed(1)} kB larger than allowed.`);
} catch (error) {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
}
