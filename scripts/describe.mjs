// @ts-check
// `npm run describe`: writes worker/openapi.json from the contract. A test holds that it is true.

import {writeFileSync} from 'node:fs';
import {describeApiText} from './build/openapi.mjs';
import {inHouse} from './lib/repo.mjs';

writeFileSync(inHouse('worker', 'openapi.json'), describeApiText());
