// @ts-check
// `vezne update`: says what a newer version changes and what its stores allow, then installs, checks and deploys it.
// `vezne rollback`: activates the deployment before this one, unless a store has changed since.

import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {createInterface} from 'node:readline/promises';
import {parseArgs} from 'node:util';
import {readDeployed, readOwn} from './configuration.mjs';
import {compareVersions, deployedRelease, lastDeployments} from './deployments.mjs';
import {runNpm} from './npm.mjs';
import {
  editedName,
  generatedPath,
  isClone,
  manifest,
  nodeBinary,
  projectPath,
  UserError,
  wranglerFile,
} from './project.mjs';
import {runWrangler} from './wrangler.mjs';

/** @typedef {{version: string, stores: string, text: string}} Change */

/** The addresses of the platform. A project without any of them only runs with the sandbox. */
const ADDRESSES = ['PHS_URL', 'MICROPAYMENT_URL', 'LANDING_URL'];

/** @param {string[]} args */
export async function update(args) {
  const {wanted = 'latest', isAgreed} = readOptions(args);
  const next = fetchNext(wanted);
  const order = compareVersions(next.version, manifest.version);
  if (order === 0)
    return void console.log(`Vezne ${manifest.version} is what ${wanted} names: there is nothing to update.`);
  if (order < 0)
    throw new UserError(`${next.version} is older than ${manifest.version}. To go back: npx vezne rollback`);
  const isDeployed = ADDRESSES.some((name) => readOwn()?.['vars']?.[name]);
  const deployed = (isDeployed ? readDeployedRelease() : undefined) ?? manifest.version;
  if (compareVersions(next.version, deployed) < 0)
    throw new UserError(
      `Release ${deployed} is deployed, which is later than ${next.version}: npx vezne update ${deployed}`,
    );
  const changelog = readFileSync(path.join(next.folder, 'CHANGELOG.md'), 'utf8');
  const changes = changesBetween(changelog, manifest.version, next.version);
  console.log(`Vezne ${manifest.version} → ${next.version}\n\n${changes.map(({text}) => text.trim()).join('\n\n')}\n`);
  const storing = changesBetween(changelog, deployed, next.version).filter(changesStores);
  console.log(
    storing.length === 0
      ? 'No store changes, so `npx vezne rollback` can go back.'
      : `Stores change in ${storing.map(({version}) => version).join(', ')}: after this you cannot go back to ${deployed}.`,
  );
  await requireConsent('Update', isAgreed);
  // The new version's own check, before anything changes.
  if (isDeployed && runVezne(next.folder, ['deploy', '--dry-run']) !== 0)
    throw new UserError(`Nothing has changed. Correct this, and run \`npx vezne update\` again.`);
  install(next.spec, next.wrangler);
  if (!isDeployed)
    return void console.log(`Updated to ${next.version}. Nothing is deployed, because no platform is set.`);
  if (runVezne(projectPath('node_modules', 'vezne'), ['deploy']) !== 0)
    throw new UserError(
      `Vezne ${next.version} is installed, but not deployed. Correct what is named above and run \`npx vezne deploy\`, or ` +
        `install the version before: npm install vezne@${manifest.version}`,
    );
}

/** What `vezne deploy` deployed last. */
function readDeployedRelease() {
  // With VEZNE_CONFIG, the last deployment may have been another Worker's.
  readDeployed({});
  return deployedRelease();
}

/** @param {string[]} args */
export async function rollback(args) {
  const {isAgreed} = readOptions(args);
  readDeployed({});
  const [current, previous] = lastDeployments();
  // What its stores are stands only in its own CHANGELOG.md.
  if (compareVersions(manifest.version, current.release) < 0)
    throw new UserError(
      `Release ${current.release} is deployed, and ${manifest.version} does not know its stores. First: npm install vezne@${current.release}`,
    );
  if (compareVersions(previous.release, current.release) > 0)
    throw new UserError(
      `The deployment before is of a later release, ${previous.release}. Go on to it: npx vezne update`,
    );
  const changes = changesBetween(readChangelog(), previous.release, current.release).filter(changesStores);
  if (changes.length > 0)
    throw new UserError(
      `Vezne cannot go back from ${current.release} to ${previous.release}, because stores have changed:\n` +
        `${changes.map(({version, stores}) => `  ${version}: ${stores}`).join('\n')}\n` +
        'The earlier version would refuse what the later one has stored. Install a later version that is repaired: npx vezne update',
    );
  console.log(
    `Back from ${current.release}, deployed ${current.at}, to ${previous.release}, deployed ${previous.at}, with its ` +
      'settings and its secrets. A secret that has changed since gets its old value.',
  );
  await requireConsent('Go back', isAgreed);
  await activate(previous.id, `vezne rollback from ${current.release}`, isAgreed);
  console.log(
    `${previous.release} runs. ${editedName()} and the file of secrets are as they were, and the next deployment deploys them.`,
  );
  if (previous.release !== manifest.version) install(`vezne@${previous.release}`);
}

/**
 * Activates a version. `wrangler rollback` would give changed secrets their old values without a question if there is no
 * terminal, so it comes second.
 * @param {string} id @param {string} message @param {boolean} isAgreed - To going back, not to old secrets.
 */
async function activate(id, message, isAgreed) {
  const options = ['--message', message, '--yes'];
  const {status, stdout, stderr} = runWrangler(['versions', 'deploy', `${id}@100%`, ...options], {output: 'pipe'});
  if (status === 0) return;
  const [, secrets] = /secrets have changed: *([^\n[]*\w)/.exec(stderr + stdout) ?? [];
  const refusal = 'Cloudflare refused it. Deploy a repaired later version: npx vezne update';
  if (!secrets) throw new UserError(`${stderr}${stdout}\n${refusal}`);
  console.log(`These secrets have changed since, and would get their old values: ${secrets}`);
  if (isAgreed)
    throw new UserError('Nothing has changed. --yes does not allow this; in a terminal, without it, the command asks.');
  await requireConsent('Use the old values', false);
  if (runWrangler(['rollback', id, ...options]).status !== 0) throw new UserError(refusal);
}

/** @param {string[]} args */
function readOptions(args) {
  if (isClone)
    throw new UserError(
      'This is a clone: use `git pull` or `git checkout`, read CHANGELOG.md, and then `npm run deploy`.',
    );
  try {
    const {values, positionals} = parseArgs({
      args,
      options: {yes: {type: 'boolean', short: 'y'}},
      allowPositionals: true,
    });
    return {wanted: positionals[0], isAgreed: values.yes ?? false};
  } catch {
    throw new UserError('Usage: npx vezne update [version] [--yes], npx vezne rollback [--yes]');
  }
}

/** @param {string} what @param {boolean} isAgreed */
async function requireConsent(what, isAgreed) {
  if (isAgreed) return;
  if (!process.stdin.isTTY) throw new UserError(`Nothing has changed. With --yes the command goes on.`);
  const terminal = createInterface({input: process.stdin, output: process.stdout});
  const answer = await terminal.question(`${what}? [y/N] `);
  terminal.close();
  if (!/^y/i.test(answer)) throw new UserError('Nothing has changed.');
}

/**
 * Installs a version apart from the project.
 * @param {string} wanted - A version, a tag of npm, or the path of a tarball.
 */
function fetchNext(wanted) {
  const spec = existsSync(wanted) ? path.resolve(wanted) : `vezne@${wanted}`;
  const apart = generatedPath('next');
  rmSync(apart, {recursive: true, force: true});
  mkdirSync(apart, {recursive: true});
  writeFileSync(path.join(apart, 'package.json'), '{"private": true}\n');
  if (!runNpm(['install', '--ignore-scripts', '--no-package-lock', '--silent', spec], apart))
    throw new UserError(`npm cannot install ${spec}: see above. Nothing has changed.`);
  const folder = path.join(apart, 'node_modules', 'vezne');
  /** @type {typeof manifest} */
  const {version, devDependencies} = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  // Its check runs with the wrangler that it was tested with.
  const wrangler = devDependencies['wrangler'];
  if (
    wrangler !== wranglerVersion() &&
    !runNpm(['install', '--ignore-scripts', '--no-package-lock', '--silent', `wrangler@${wrangler}`], apart)
  )
    throw new UserError(`npm cannot install wrangler@${wrangler}: see above. Nothing has changed.`);
  return {spec, folder, version, wrangler};
}

/** @param {string} spec @param {string} [wrangler] - The version that Vezne was tested with. */
function install(spec, wrangler) {
  /** @type {string[][]} */
  const calls = [
    [spec],
    ...(wrangler === undefined || wrangler === wranglerVersion() ? [] : [['--save-dev', `wrangler@${wrangler}`]]),
  ];
  for (const call of calls)
    if (!runNpm(['install', '--save-exact', ...call], projectPath()))
      throw new UserError(`npm cannot install ${call.at(-1)}: see above. Install it before you deploy again.`);
}

/** @returns {string} */
const wranglerVersion = () =>
  JSON.parse(readFileSync(path.join(wranglerFile(), '..', '..', 'package.json'), 'utf8')).version;

/** Runs a command of another version in this project. @param {string} folder - Of that version. @param {string[]} args */
const runVezne = (folder, args) =>
  spawnSync(nodeBinary(), [path.join(folder, 'cli', 'vezne.cjs'), ...args], {cwd: projectPath(), stdio: 'inherit'})
    .status;

const readChangelog = () => readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');

/**
 * The sections of a CHANGELOG.md of the versions after one, up to another, whose section must not be missing.
 * @param {string} changelog
 * @param {string} from
 * @param {string} to
 * @returns {Change[]}
 */
export function changesBetween(changelog, from, to) {
  const changes = changelog
    .split(/^(?=## )/m)
    .flatMap((text) => {
      const [, version] = /^## (\d+\.\d+\.\d+)/.exec(text) ?? [];
      const [, stores = 'unknown'] = /^Stores: ([^]*?)\n(?:\n|$)/m.exec(`${text}\n`) ?? [];
      return version ? [{version, stores: stores.replaceAll('\n', ' '), text}] : [];
    })
    .filter(({version}) => compareVersions(version, from) > 0 && compareVersions(version, to) <= 0);
  const isComplete = compareVersions(from, to) >= 0 || changes.some(({version}) => version === to);
  return isComplete ? changes : [{version: to, stores: 'unknown', text: ''}, ...changes];
}

/** @param {Change} change */
const changesStores = ({stores}) => !/^unchanged\b/i.test(stores);
