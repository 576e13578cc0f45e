// @ts-check
// The last step of `npm run build`, which npm runs before it packs: builds the package `vezne/merchant` into
// dist/merchant. A merchant's server installs that package.

import {buildClient} from './build/client-package.mjs';

await buildClient();
