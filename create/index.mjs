#!/usr/bin/env node
// `npm create vezne my-shop`: the same as `npx vezne new my-shop`.

import {createRequire} from 'node:module';
import path from 'node:path';
import process from 'node:process';

const require = createRequire(import.meta.url);
process.argv.splice(2, 0, 'new');
require(path.join(path.dirname(require.resolve('vezne/package.json')), 'cli', 'vezne.cjs'));
