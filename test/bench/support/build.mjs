// @ts-check
// Builds the bundles that several benches share, into the folder that is the first argument.

import process from 'node:process';
import {bundle} from '../../faults/support/bundles.ts';

await bundle(process.argv[2] ?? '');
