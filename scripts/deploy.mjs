// @ts-check
// `npm run deploy`: builds the elements (never the demo) and deploys the Worker. Arguments after `--` are passed to
// `wrangler deploy`.

import {spawnSync} from 'node:child_process';
import process from 'node:process';
import {install} from './lib/install.mjs';
import {nodeBinary, repoPath, root} from './lib/repo.mjs';

const args = process.argv.slice(3);

/** @param {string} script @param {string[]} more */
function run(script, more) {
  const {status} = spawnSync(nodeBinary(), ['--no-warnings', script, ...more], {cwd: root, stdio: 'inherit'});
  if (status !== 0) process.exit(status ?? 1);
}

install();
const {buildSite} = await import('./build/site.mjs');
const {tools} = await import('./lib/repo.mjs');

run(repoPath('scripts', 'lib', 'check-deploy-target.mjs'), args);
console.log('Building …');
await buildSite();
run(tools.wrangler, ['deploy', '-c', 'wrangler.toml', '--minify', ...args]);
