// @ts-check
// `npm run deploy`: builds the kit (never the demo) and deploys the Worker. What stands behind `--` goes to `wrangler deploy`.

import {spawnSync} from 'node:child_process';
import process from 'node:process';
import {houseNode, inHouse, root} from './parts/house.mjs';
import {install} from './parts/install.mjs';

const args = process.argv.slice(3);

/** @param {string} script @param {string[]} more */
function run(script, more) {
  const {status} = spawnSync(houseNode(), ['--no-warnings', script, ...more], {cwd: root, stdio: 'inherit'});
  if (status !== 0) process.exit(status ?? 1);
}

install();
const {buildKit} = await import('./parts/build.mjs');
const {tools} = await import('./parts/house.mjs');

run(inHouse('scripts', 'parts', 'refuse-sandbox.mjs'), args);
console.log('Building …');
await buildKit();
run(tools.wrangler, ['deploy', '-c', 'wrangler.toml', '--minify', ...args]);
