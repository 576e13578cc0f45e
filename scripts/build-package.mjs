// @ts-check
// The last step of `npm run build`: builds what else the package has: the elements and their types for a page's bundler,
// the client for a merchant's server, the Worker, and what the commands need. `npm pack` runs `npm run build` first. With `--sources`, it only
// writes the generated sources.

import process from 'node:process';
import {buildCommands} from './build/cli-package.mjs';
import {buildClient} from './build/client-package.mjs';
import {writeClientSources} from './build/client-source.mjs';
import {buildPagePackage, writePageSources} from './build/page-package.mjs';
import {buildWorkerPackage} from './build/worker-package.mjs';

if (process.argv.includes('--sources')) await Promise.all([writeClientSources(), writePageSources()]);
else await Promise.all([buildClient(), buildPagePackage(), buildWorkerPackage(), buildCommands()]);
