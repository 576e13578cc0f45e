// @ts-check
// `npm run describe`: writes worker/openapi.json from the contract. A test holds that it is true.

import {writeFileSync} from 'node:fs';
import {describeApiText} from './parts/describe-api.mjs';
import {inHouse} from './parts/house.mjs';

writeFileSync(inHouse('worker', 'openapi.json'), describeApiText());
