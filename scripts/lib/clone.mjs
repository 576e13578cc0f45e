// @ts-check
// Runs a command of `cli/` in this clone, with what only the sources can build.

import process from 'node:process';
import {main} from '../../cli/main.mjs';

// These modules import Vite, which takes long to load. A refused configuration does not need them.
const site = () => import('../build/site.mjs');

await main(process.argv.slice(2), {
  buildSite: async () => (await site()).buildSite(),
  async buildDemo(folder, sandbox) {
    const {buildDemo, buildSite} = await site();
    await buildSite(folder);
    await buildDemo(folder, sandbox);
  },
  watch: async (...options) => (await site()).watchBuilds(...options),
});
