// @ts-check
// What npm runs before it packs: builds `vezne/merchant` into dist/merchant, for a merchant's server to install.

import {buildClient} from './build/client-package.mjs';

await buildClient();
