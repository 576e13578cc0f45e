// @ts-check
// What npm runs before it packs: builds `vezne/merchant` into dist/merchant, for a merchant's server to install.

import {buildClient} from './parts/build-client.mjs';

await buildClient();
