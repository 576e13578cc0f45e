// @ts-check
// The last step of `npm run build`: builds the package `vezne/merchant`, which a merchant's server installs, into
// dist/merchant. `npm pack` runs `npm run build` first.

import {buildClient} from './build/client-package.mjs';

await buildClient();
