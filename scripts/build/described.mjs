// @ts-check
// The pages that `npm run describe` writes from the contract and the table of settings.
// `test/scripts/build/described.test.ts` compares them.

import {readFileSync} from 'node:fs';
import {repoPath} from '../lib/repo.mjs';
import {clientReadme} from './client-source.mjs';
import {endpointDocs} from './endpoint-docs.mjs';
import {errorDocs} from './error-docs.mjs';
import {settingDocs} from './setting-docs.mjs';

/** @returns {[file: string, text: string][]} */
export const describedPages = () => [
  ['docs/endpoints.md', endpointDocs()],
  ['docs/errors.md', errorDocs()],
  ['docs/deploy.md', settingDocs(readFileSync(repoPath('docs/deploy.md'), 'utf8'))],
  ['merchant/README.md', clientReadme(readFileSync(repoPath('merchant/README.md'), 'utf8'))],
];
