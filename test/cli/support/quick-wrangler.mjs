// @ts-check
/**
 * A package `wrangler` that reads what is deployed with one request, and leaves everything else to the real one, which
 * takes two seconds of a processor to start.
 */

import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {repoPath} from '../../../scripts/lib/repo.mjs';

const real = repoPath('node_modules', 'wrangler', 'wrangler-dist', 'cli.js');

const QUICK = `
const [command, sub, id] = process.argv.slice(2);
const path = {'deployments list': 'deployments', 'versions view': 'versions/' + id}[command + ' ' + sub];
if (require.main !== module) module.exports = require(${JSON.stringify(real)});
else if (path === undefined) require('node:module')._load(${JSON.stringify(real)}, null, true);
else read();

async function read() {
  const {CLOUDFLARE_API_BASE_URL: api, CLOUDFLARE_ACCOUNT_ID: account} = process.env;
  const answer = await (await fetch(api + '/accounts/' + account + '/workers/scripts/shop/' + path)).json();
  if (!answer.success) {
    const [{message, code}] = answer.errors;
    console.error(message + ' [code: ' + code + ']');
    process.exit(1);
  }
  console.log(JSON.stringify(sub === 'list' ? answer.result.deployments : answer.result));
}
`;

/** Writes the package. @param {string} folder */
export function writeQuickWrangler(folder) {
  mkdirSync(path.join(folder, 'lib'), {recursive: true});
  const manifest = {name: 'wrangler', version: '99.0.0', main: 'lib/cli.js'};
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'lib', 'cli.js'), QUICK);
}
