// @ts-check
// `npm run describe`: writes worker/openapi.json from the contract. A test checks that the file is up to date.

import {writeFileSync} from 'node:fs';
import {openApiText} from './build/openapi.mjs';
import {repoPath} from './lib/repo.mjs';

writeFileSync(repoPath('worker', 'openapi.json'), openApiText());
