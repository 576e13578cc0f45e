// @ts-check
// `npm run init`: asks for the settings of a Worker and writes them into wrangler.local.toml, which git ignores. Every
// answer can also be given as a flag; `npm run init -- --help` lists them.

import process from 'node:process';
import {install} from './lib/install.mjs';
import {runWithWorkerSources} from './lib/own-configuration.mjs';

install();
process.exitCode = runWithWorkerSources('write-configuration.mjs', process.argv.slice(3)).status ?? 1;
