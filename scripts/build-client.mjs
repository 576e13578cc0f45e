// @ts-check
// The last step of `npm run build`: builds the package `vezne/merchant` into dist/merchant. A merchant's server
// installs that package. npm runs `npm run build` before it packs the package.

import {buildClient} from './build/client-package.mjs';

await buildClient();
