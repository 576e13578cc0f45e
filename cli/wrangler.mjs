// @ts-check
// Runs wrangler for the deployed Worker, and says what to do about the failures that an operator can resolve.

import {spawnSync} from 'node:child_process';
import {readFileSync, renameSync, rmSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {DEPLOYED_FILE, generatedPath, nodeBinary, projectPath, wranglerFile} from './project.mjs';

/** The tag of a deployed version, which names the release. */
export const VERSION_TAG = /^vezne-(\d+\.\d+\.\d+)$/;

/**
 * @param {string[]} args
 * @param {{output?: 'inherit' | 'pipe', env?: Record<string, string>}} [options]
 */
export function runWrangler(args, {output = 'inherit', env = {}} = {}) {
  return spawnSync(nodeBinary(), ['--no-warnings', wranglerFile(), ...args, '-c', DEPLOYED_FILE], {
    cwd: projectPath(),
    encoding: 'utf8',
    stdio: ['inherit', output, output],
    // wrangler would look for an environment of this name.
    env: {...process.env, CLOUDFLARE_ENV: undefined, ...env},
  });
}

/**
 * Deploys.
 * @param {string[]} args
 * @returns {{isDone: boolean, targets: string[]}} The addresses of the Worker.
 */
export function deployWithWrangler(args) {
  const report = `${reportFile()}.new`;
  rmSync(report, {force: true});
  const {status} = runWrangler(['deploy', '--minify', ...args], {
    env: {WRANGLER_OUTPUT_FILE_PATH: path.resolve(report)},
  });
  const targets = status === 0 ? readTargets(report) : [];
  // A trial or a failure does not change what is deployed.
  if (targets.length > 0) renameSync(report, reportFile());
  return {isDone: status === 0, targets};
}

/** What wrangler wrote about the last deployment of this folder. */
const reportFile = () => generatedPath('deployed.ndjson');

/** The addresses of the last deployment of this folder. */
export const deployedTargets = () => readTargets(reportFile());

/** @param {string} report @returns {string[]} */
function readTargets(report) {
  try {
    const entries = readFileSync(report, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return entries.find(({type}) => type === 'deploy')?.targets ?? [];
  } catch {
    return [];
  }
}
