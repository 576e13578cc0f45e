// @ts-check
// Bundles the Worker and the sandbox as a deployment would, without deploying, and checks the Worker's size.

import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {gzipSync} from 'node:zlib';
import {nodeBinary, repoPath, UserError, root, tools} from './lib/repo.mjs';
import {quietWranglerEnv} from './lib/stack.mjs';

/** Maximum gzipped size of the Worker. A Worker of this size starts fast enough in every data center. */
const BUDGET_KB = 175;

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

try {
  const out = repoPath('.cache', 'deploy');
  dryRun('sandbox/wrangler.toml', path.join(out, 'sandbox'));
  dryRun('wrangler.toml', path.join(out, 'worker'));
  const size = gzippedKb(path.join(out, 'worker'));
  console.log(`Worker: ${size.toFixed(1)} kB of ${BUDGET_KB} kB gzipped`);
  if (size > BUDGET_KB) throw new UserError(`The Worker is ${(size - BUDGET_KB).toFixed(1)} kB larger than allowed.`);
} catch (error) {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
}
