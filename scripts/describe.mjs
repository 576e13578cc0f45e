// @ts-check
// `npm run describe`: writes worker/openapi.json, docs/errors.md, the table in merchant/README.md and the generated
// sources of the client from the contract. Tests check that the files are up to date.

import {readFileSync, writeFileSync} from 'node:fs';
import {clientReadme, writeClientSources} from './build/client-source.mjs';
import {errorDocs} from './build/error-docs.mjs';
import {openApiText} from './build/openapi.mjs';
import {repoPath} from './lib/repo.mjs';

writeFileSync(repoPath('worker', 'openapi.json'), openApiText());
writeFileSync(repoPath('docs', 'errors.md'), errorDocs());
const readme = repoPath('merchant', 'README.md');
writeFileSync(readme, clientReadme(readFileSync(readme, 'utf8')));
await writeClientSources();
