// @ts-check
// `npm run examples` installs and runs everything in `examples/`; `npm run examples -- php` runs one example, and
// `-- --smallest` those that install nothing from a registry.

import process from 'node:process';
import {install} from './lib/install.mjs';

install();
const {runExamples} = await import('../examples/run.mjs');
await runExamples(process.argv.slice(3));
