// @ts-check
// Bundles the Worker and the sandbox as a deployment would, without deploying. Checks the Worker's size, and that it has
// no description of its APIs and settings (docs/decisions/merchant-api.md).

import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {gzipSync} from 'node:zlib';
import {openApiDocument} from './build/openapi.mjs';
import {SETTINGS} from './build/setting-docs.mjs';
import {bundleWorker} from './build/worker-package.mjs';
import {repoPath, UserError} from './lib/repo.mjs';

/** Maximum gzipped size of the Worker. */
const MAX_KB = 200;

/** @param {string} outdir */
const gzippedKb = (outdir) =>
  readdirSync(outdir)
    .filter((file) => /\.(js|mjs|wasm)$/.test(file))
    .reduce((bytes, file) => bytes + gzipSync(readFileSync(path.join(outdir, file)), {level: 9}).length, 0) / 1000;

/**
 * The texts of the descriptions. A bundle escapes other characters than ASCII, so only texts without them are found.
 * @param {unknown} value
 * @returns {string[]}
 */
function descriptionsIn(value) {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    typeof each !== 'string'
      ? descriptionsIn(each)
      : ['summary', 'description', 'doc'].includes(name) && /^[\x20-\x7e]{20,}$/.test(each)
        ? [each]
        : [],
  );
}

/** Modules of which nothing stays in the Worker's bundle but their own imports. */
const UNBUNDLED =
  /\/contract\/(?:browser\/(?:(?:subscription-)?answers|examples)|merchant\/(?:answer-fields|events)|problem)\.ts$/;
const MAX_BYTES_OF_IMPORTS = 100;

/** The first of these modules that is in a bundle all the same. @param {string} outdir */
function bundledDescription(outdir) {
  /** @type {{outputs: Record<string, {inputs: Record<string, {bytesInOutput: number}>}>}} */
  const {outputs} = JSON.parse(readFileSync(path.join(outdir, 'bundle-meta.json'), 'utf8'));
  return Object.values(outputs)
    .flatMap(({inputs}) => Object.entries(inputs))
    .find(([file, {bytesInOutput}]) => UNBUNDLED.test(file) && bytesInOutput > MAX_BYTES_OF_IMPORTS)?.[0];
}

try {
  const out = repoPath('.cache', 'deploy');
  bundleWorker('sandbox/wrangler.toml', path.join(out, 'sandbox'));
  bundleWorker('wrangler.toml', path.join(out, 'worker'));
  const size = gzippedKb(path.join(out, 'worker'));
  console.log(`Worker: ${size.toFixed(1)} kB of ${MAX_KB} kB gzipped`);
  const bundle = readFileSync(path.join(out, 'worker', 'index.js'), 'utf8');
  const descriptions = descriptionsIn([openApiDocument().paths, SETTINGS]);
  const description = descriptions.find((text) => bundle.includes(text));
  if (description)
    throw new UserError(`Guard this text with DESCRIBED, because the Worker never reads it: ${description}`);
  const module = bundledDescription(path.join(out, 'worker'));
  if (module) throw new UserError(`Guard ${module} with DESCRIBED, because the Worker never reads it.`);
  if (size > MAX_KB) throw new UserError(`The Worker is ${(size - MAX_KB).toFixed(1)} kB larger than allowed.`);
} catch (error) {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
}
