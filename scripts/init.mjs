// @ts-check
// `npm run init`: copies wrangler.example.toml to wrangler.local.toml, which git ignores, for the operator to fill in.

import {constants, copyFileSync, existsSync} from 'node:fs';
import path from 'node:path';
import {ownFile} from './lib/own-configuration.mjs';
import {repoPath, root, UserError} from './lib/repo.mjs';

const file = path.dirname(ownFile()) === path.resolve(root) ? path.basename(ownFile()) : ownFile();
if (existsSync(ownFile())) throw new UserError(`${file} exists: edit it, or move it away first.`);
copyFileSync(repoPath('wrangler.example.toml'), ownFile(), constants.COPYFILE_EXCL);
console.log(`Wrote ${file}. Next: fill in its empty settings, set the secrets that it names, and \`npm run deploy\`.`);
