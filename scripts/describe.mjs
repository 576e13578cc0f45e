// @ts-check
// `npm run describe`: writes what people read of contract and settings (`build/described.mjs`), and the generated sources of the
// client. A test compares the pages with the contract.

import {writeFileSync} from 'node:fs';
import {writeClientSources} from './build/client-source.mjs';
import {describedPages} from './build/described.mjs';
import {repoPath} from './lib/repo.mjs';

for (const [file, text] of describedPages()) writeFileSync(repoPath(file), text);
await writeClientSources();
