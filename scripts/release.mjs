// @ts-check
// `npm run release -- 1.4.0`: makes a release of what is in this folder. Sets the version, writes the pinned files to
// releases/1.4.0/, and dates the release in CHANGELOG.md. Keeps what later versions are tested against in
// test/releases/1.4.0/: pages, the Worker, and what its objects store. Commit and tag the result.

import {execSync, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {gzipSync} from 'node:zlib';
import {quietWranglerEnv} from '../cli/servers.mjs';
import {install} from './lib/install.mjs';
import {nodeBinary, repoPath, tools, UserError} from './lib/repo.mjs';

const [, , , version = ''] = process.argv;
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new UserError('Usage: npm run release -- 1.4.0');
const folder = repoPath('releases', version);
const kept = repoPath('test', 'releases', version);
if (existsSync(folder))
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

run(repoPath('scripts', 'run.cjs'), 'describe');
run(repoPath('scripts', 'build', 'write-release.ts'), folder, date);

mkdirSync(kept, {recursive: true});
/** @type {{files: Record<string, string>}} */
const {files} = JSON.parse(readFileSync(path.join(folder, 'release.json'), 'utf8'));
/** @param {string} name @param {string} elements @param {string[]} scripts */
function writePage(name, elements, ...scripts) {
  const address = `https://pay.example.com/vezne/${version}/`;
  const tags = scripts.map(
    (file) => `<script type="module" src="${address}${file}" integrity="${files[file]}" crossorigin></script>\n`,
  );
  const html = `<!doctype html>\n<html lang="tr">\n<title>Lamba</title>\n${tags.join('')}${elements}\n`;
  writeFileSync(path.join(kept, name), html);
}
writePage('checkout.html', '<vezne-checkout offer="gold"></vezne-checkout>', 'checkout.js');
const subscription =
  '<vezne-activity offer="club"></vezne-activity><vezne-pin-subscribe offer="club"></vezne-pin-subscribe>';
writePage('subscribe.html', subscription, 'subscribe.js', 'activity.js');
const bundle = repoPath('.cache', 'release');
run(tools.wrangler, 'deploy', '--dry-run', '--minify', '-c', 'wrangler.toml', '--outdir', bundle);
writeFileSync(path.join(kept, 'worker.js.gz'), gzipSync(readFileSync(path.join(bundle, 'index.js')), {level: 9}));
run(tools.vitest, 'run', '--project', 'worker', '--update');

console.log(`${version} is ready: run npm test, commit everything, and tag the commit v${version}.`);

/** @param {string} tool @param {string[]} args */
function run(tool, ...args) {
  const {status, stdout, stderr} = spawnSync(nodeBinary(), [tool, ...args], {
    cwd: repoPath(),
    env: {...process.env, ...quietWranglerEnv, VEZNE_RECORD: version},
    encoding: 'utf8',
  });
  if (status !== 0) throw new UserError(`No release was made; undo the changes with git.\n${stdout}${stderr}`);
}
