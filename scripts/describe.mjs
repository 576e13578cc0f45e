// @ts-check
// `npm run describe`: writes worker/openapi.json and docs/errors.md from the contract. Tests check that both files are
// up to date.

import {writeFileSync} from 'node:fs';
import {errorDocs} from './build/error-docs.mjs';
import {openApiText} from './build/openapi.mjs';
import {repoPath} from './lib/repo.mjs';

writeFileSync(repoPath('worker', 'openapi.json'), openApiText());
writeFileSync(repoPath('docs', 'errors.md'), errorDocs());
