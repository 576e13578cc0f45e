// @ts-check
// The file with the operator's own settings, and how to run the scripts that read it.

import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {nodeBinary, repoPath, root, UserError} from './repo.mjs';

/** wrangler.toml and the operator's file in one, as `npm run deploy` deploys them. */
export const MERGED_FILE = repoPath('.cache', 'wrangler.json');

/** The operator's file: `wrangler.local.toml`, or the file that VEZNE_CONFIG names. */
export const ownFile = () => path.resolve(root, process.env['VEZNE_CONFIG'] || 'wrangler.local.toml');

/** Whether the operator has their own configuration file. */
export const hasOwnFile = () => existsSync(ownFile()) && ownFile() !== repoPath('wrangler.toml');

/** Throws if VEZNE_CONFIG names a file that does not exist. Otherwise the variable would silently have no effect. */
export function requireNamedFile() {
  const named = process.env['VEZNE_CONFIG'];
  if (named && !existsSync(ownFile())) throw new UserError(`VEZNE_CONFIG names a file that does not exist: ${named}`);
}

/**
 * Runs a script that imports TypeScript of the Worker. The script prints its own errors.
 * @param {string} script - In scripts/lib.
 * @param {readonly string[]} args
 * @param {'inherit' | 'pipe'} stdout
 */
export function runWithWorkerSources(script, args, stdout = 'inherit') {
  const options = ['--no-warnings', '--experimental-transform-types'];
  return spawnSync(nodeBinary(), [...options, repoPath('scripts', 'lib', script), ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['inherit', stdout, 'inherit'],
  });
}
