// @ts-check
// `npm run deploy`: checks the configuration, builds the elements (never the demo) and deploys the Worker. Arguments
// after `--` are passed to `wrangler deploy`.

import {spawnSync} from 'node:child_process';
import process from 'node:process';
import {install} from './lib/install.mjs';
import {MERGED_FILE, runWithWorkerSources} from './lib/own-configuration.mjs';
import {nodeBinary, root} from './lib/repo.mjs';

const args = process.argv.slice(3);

/** @param {{status: number | null}} result */
function exitIfFailed({status}) {
  if (status !== 0) process.exit(status ?? 1);
}

install();
exitIfFailed(runWithWorkerSources('check-deploy-target.mjs', args));
// These modules import Vite, which takes long to load. A refused configuration does not need them.
const {buildSite} = await import('./build/site.mjs');
const {tools} = await import('./lib/repo.mjs');
console.log('Building …');
await buildSite();
exitIfFailed(
  spawnSync(nodeBinary(), ['--no-warnings', tools.wrangler, 'deploy', '-c', MERGED_FILE, '--minify', ...args], {
    cwd: root,
    stdio: 'inherit',
  }),
);
