// @ts-check
// The last step of `npm run build`: builds the package `vezne/merchant`, which a merchant's server installs, into
// dist/merchant. `npm pack` runs `npm run build` first. With `--sources`, it only writes the generated sources.

import process from 'node:process';
import {buildClient} from './build/client-package.mjs';
import {writeClientSources} from './build/client-source.mjs';

if (process.argv.includes('--sources')) await writeClientSources();
else await buildClient();
