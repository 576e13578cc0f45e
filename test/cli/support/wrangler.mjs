// @ts-check
/**
 * Writes packages named wrangler for a project. They are the installed one, except that a process that only lists
 * answers at once with what the stub of Cloudflare's API has: the installed wrangler needs two seconds of a processor to
 * start.
 */

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {repoPath} from '../../../scripts/lib/repo.mjs';

export const INSTALLED = repoPath('node_modules', 'wrangler', 'wrangler-dist', 'cli.js');

/**
 * The code of a process. It is written into a file, so it uses nothing from outside.
 * @param {string} installed
 * @param {string} [later] - The version, which it prints before it does anything but list.
 */
async function main(installed, later) {
  const args = process.argv.slice(2);
  if (!args.includes('--json')) {
    if (later) console.log('wrangler', parseInt(later, 10), ...args);
    const {spawnSync} = process.getBuiltinModule('node:child_process');
    process.exit(spawnSync(process.execPath, ['--no-warnings', installed, ...args], {stdio: 'inherit'}).status ?? 1);
  }
  const {CLOUDFLARE_API_BASE_URL: base, CLOUDFLARE_ACCOUNT_ID: account} = process.env;
  const worker = `${base}/accounts/${account}/workers/scripts/shop`;
  const paths = {
    'deployments list': '/deployments',
    'versions list': '/versions',
    'versions view': `/versions/${args[2]}`,
  };
  const answer = await fetch(worker + paths[/** @type {keyof typeof paths} */ (args.slice(0, 2).join(' '))]);
  const {result, errors} = await answer.json();
  if (answer.ok) console.log(JSON.stringify(result.deployments ?? result.items ?? result));
  else console.error(errors.map((/** @type {{code: number}} */ {code}) => `[code: ${code}]`).join('\n'));
  process.exitCode = answer.ok ? 0 : 1;
}

/** @param {string} folder @param {string} [later] - Its version, if it is a later one, which says how it is started. */
export function writeWrangler(folder, later) {
  const installed = repoPath('node_modules', 'wrangler', 'package.json');
  /** @type {{version: string}} */
  const {version} = JSON.parse(readFileSync(installed, 'utf8'));
  const manifest = {name: 'wrangler', version: later ?? version, main: 'lib/cli.js'};
  mkdirSync(path.join(folder, 'lib'), {recursive: true});
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  const real = JSON.stringify(INSTALLED);
  writeFileSync(
    path.join(folder, 'lib', 'cli.js'),
    `if (require.main !== module) module.exports = require(${real});
     else (${main})(${real}, ${JSON.stringify(later)});`,
  );
  return folder;
}
