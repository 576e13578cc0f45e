// @ts-check
// Bundles the Worker and the sandbox as a deployment would, without deploying. Checks the Worker's size, and that it has
// no description of the merchant API (docs/decisions/merchant-api.md).

import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {gzipSync} from 'node:zlib';
import {nodeBinary, repoPath, UserError, root, tools} from './lib/repo.mjs';
import {quietWranglerEnv} from './lib/stack.mjs';

/**
 * Maximum gzipped size of the Worker. A Worker of this size starts fast enough in every data center. The goal is 150 kB:
 * it was kept until the Worker followed charges, notices, parts and refunds of the merchant's server to their end, read
 * a platform that limits its calls, and had trials, pending money and cancelled orders.
 */
const BUDGET_KB = 157;

/**
 * Bundles exactly as `wrangler deploy` does.
 * @param {string} config
 * @param {string} outdir
 */
function dryRun(config, outdir) {
  rmSync(outdir, {recursive: true, force: true});
  const args = [tools.wrangler, 'deploy', '--dry-run', '--minify', '-c', config, '--outdir', outdir];
  try {
    execFileSync(nodeBinary(), args, {
      cwd: root,
      env: {...process.env, ...quietWranglerEnv},
      stdio: 'pipe',
      encoding: 'utf8',
    });
  } catch (error) {
    const {stdout, stderr} = /** @type {{stdout: string, stderr: string}} */ (error);
    throw new UserError(`${config} cannot be deployed:\n${stdout}${stderr}`);
  }
}

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
  dryRun('sandbox/wrangler.toml', path.join(out, 'sandbox'));
  dryRun('wrangler.toml', path.join(out, 'worker'));
  const size = gzippedKb(path.join(out, 'worker'));
  console.log(`Worker: ${size.toFixed(1)} kB of ${BUDGET_KB} kB gzipped`);
  const {paths} = JSON.parse(readFileSync(repoPath('worker', 'openapi.json'), 'utf8'));
  const bundle = readFileSync(path.join(out, 'worker', 'index.js'), 'utf8');
  const description = descriptionsIn(paths).find((text) => bundle.includes(text));
  if (description)
    throw new UserError(`Guard this text with DESCRIBED, because the Worker never reads it: ${description}`);
  if (size > BUDGET_KB) throw new UserError(`The Worker is ${(size - BUDGET_KB).toFixed(1)} kB larger than allowed.`);
} catch (error) {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
}
