// @ts-check
// `npm run release -- 1.4.0`: makes a release of what is in this folder. Sets the version, dates the release in
// CHANGELOG.md, and packs it. Keeps in releases/1.4.0/ what later versions need: the pinned files and the Worker of the
// packed version, and what the Worker's objects store. Commit and tag the result.

import {execSync, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {takeRelease} from './build/take-release.mjs';
import {install} from './lib/install.mjs';
import {nodeBinary, repoPath, tools, UserError} from './lib/repo.mjs';
import {makeScratchFolder} from './lib/scratch-folder.mjs';

const [, , , version = ''] = process.argv;
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new UserError('Usage: npm run release -- 1.4.0');
if (existsSync(repoPath('releases', version)))
  throw new UserError(`${version} is released: take another number. (Not published yet? Delete releases/${version}.)`);

const date = new Date().toISOString().slice(0, 10);
const changes = readFileSync(repoPath('CHANGELOG.md'), 'utf8');
const heading = new RegExp(`^## (?:Unreleased|${version.replaceAll('.', '\\.')}\\b.*)$`, 'm');
const [, section = ''] = changes.split(heading);
if (!/^Stores: /m.test(section.split(/^## /m)[0] ?? ''))
  throw new UserError(
    `CHANGELOG.md needs a section "## Unreleased", with a line "Stores: " that says which stores the release changes.`,
  );

install();
execSync(`npm version ${version} --no-git-tag-version --allow-same-version`, {cwd: repoPath(), stdio: 'pipe'});
const create = repoPath('create', 'package.json');
const creator = JSON.parse(readFileSync(create, 'utf8'));
writeFileSync(create, `${JSON.stringify({...creator, version, dependencies: {vezne: version}}, null, 2)}\n`);
writeFileSync(repoPath('CHANGELOG.md'), changes.replace(heading, `## ${version} (${date})`));
node([repoPath('scripts', 'run.cjs'), 'describe']);

const scratch = makeScratchFolder();
execSync(`npm pack --pack-destination ${JSON.stringify(scratch)}`, {cwd: repoPath(), stdio: 'pipe'});
execSync(`tar -xzf vezne-${version}.tgz`, {cwd: scratch, stdio: 'pipe'});
mkdirSync(repoPath('releases'), {recursive: true});
const folder = takeRelease(path.join(scratch, 'package'), version, repoPath('releases'));
// `--update` would take a path behind it as its value.
node([tools.vitest, 'run', '--project', 'worker', 'test/worker/objects/released-stores.test.ts', '--update'], {
  VEZNE_RECORD: path.join(folder, 'stores.json'),
});

console.log(`${version} is ready: run npm test, commit everything, and tag the commit v${version}.`);

/** @param {string[]} args @param {Record<string, string>} [env] */
function node(args, env) {
  const {status, stdout, stderr} = spawnSync(nodeBinary(), args, {
    cwd: repoPath(),
    env: {...process.env, ...env},
    encoding: 'utf8',
  });
  if (status !== 0) throw new UserError(`No release was made; undo the changes with git.\n${stdout}${stderr}`);
}
