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
import {runWrangler, VERSION_TAG} from './wrangler.mjs';

/** @typedef {{version: string, stores: string, text: string}} Change */

/** The addresses of the platform. A project without any of them only runs with the sandbox. */
const ADDRESSES = ['PHS_URL', 'MICROPAYMENT_URL', 'LANDING_URL'];

/** @param {string[]} args */
export async function update(args) {
  const {wanted = 'latest', isAgreed} = readOptions(args);
  const next = fetchNext(wanted);
  const order = compare(next.version, manifest.version);
  if (order === 0)
    return void console.log(`Vezne ${manifest.version} is what ${wanted} names: there is nothing to update.`);
  if (order < 0)
    throw new UserError(`${next.version} is older than ${manifest.version}. To go back: npx vezne rollback`);
  const changes = changesBetween(
    readFileSync(path.join(next.folder, 'CHANGELOG.md'), 'utf8'),
    manifest.version,
    next.version,
  );
  console.log(`Vezne ${manifest.version} → ${next.version}\n\n${changes.map(({text}) => text.trim()).join('\n\n')}\n`);
  const storing = changes.filter(changesStores);
  console.log(
    storing.length === 0
      ? 'No store changes, so `npx vezne rollback` can go back.'
      : `Stores change in ${storing.map(({version}) => version).join(', ')}: after this you cannot go back to ${manifest.version}.`,
  );
  await requireConsent('Update', isAgreed);

  const isDeployed = ADDRESSES.some((name) => readOwn()?.['vars']?.[name]);
  // The new version's own check, before anything changes.
  if (isDeployed && runVezne(next.folder, ['deploy', '--dry-run']) !== 0)
    throw new UserError(`Nothing has changed. Correct this, and run \`npx vezne update\` again.`);
  install(next.spec, next.devDependencies['wrangler']);
  if (!isDeployed)
    return void console.log(`Updated to ${next.version}. Nothing is deployed, because no platform is set.`);
  if (runVezne(projectPath('node_modules', 'vezne'), ['deploy']) !== 0)
    throw new UserError(
      `Vezne ${next.version} is installed, but not deployed. Correct what is named above and run \`npx vezne deploy\`, or ` +
        `install the version before: npm install vezne@${manifest.version}`,
    );
}

/** @param {string[]} args */
export async function rollback(args) {
  const {isAgreed} = readOptions(args);
  const [current, previous] = lastDeployments();
  const changes = changesBetween(readChangelog(), previous.release, current.release).filter(changesStores);
  if (changes.length > 0)
    throw new UserError(
      `Vezne cannot go back from ${current.release} to ${previous.release}, because stores have changed:\n` +
        `${changes.map(({version, stores}) => `  ${version}: ${stores}`).join('\n')}\n` +
        'The earlier version would refuse what the later one has stored. Install a later version that is repaired: npx vezne update',
    );
  console.log(
    `Back from ${current.release}, deployed ${current.at}, to ${previous.release}, deployed ${previous.at}, with its settings.`,
  );
  await requireConsent('Go back', isAgreed);
  const message = `vezne rollback from ${current.release}`;
  if (runWrangler(['rollback', previous.id, '--message', message, '--yes']).status !== 0)
    throw new UserError('Cloudflare refused it; see above. Deploy a repaired later version: npx vezne update');
  console.log(`${previous.release} runs. ${editedName()} is as it was: the next deployment deploys its settings.`);
  if (previous.release !== manifest.version) install(`vezne@${previous.release}`);
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
  return {spec, folder, version, devDependencies};
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

/** Compares versions by their numbers. @param {string} a @param {string} b */
const compare = (a, b) => a.localeCompare(b, 'en', {numeric: true});

/**
 * The sections of a CHANGELOG.md of the versions after one, up to another.
 * @param {string} changelog
 * @param {string} from
 * @param {string} to
 * @returns {Change[]}
 */
export function changesBetween(changelog, from, to) {
  return changelog
    .split(/^(?=## )/m)
    .flatMap((text) => {
      const [, version] = /^## (\d+\.\d+\.\d+)/.exec(text) ?? [];
      const [, stores = 'unknown'] = /^Stores: ([^]*?)\n(?:\n|$)/m.exec(`${text}\n`) ?? [];
      return version ? [{version, stores: stores.replaceAll('\n', ' '), text}] : [];
    })
    .filter(({version}) => compare(version, from) > 0 && compare(version, to) <= 0);
}

/** @param {Change} change */
const changesStores = ({stores}) => !/^unchanged\b/i.test(stores);

/**
 * The deployment that runs, and the one before it.
 * @returns {[Deployment, Deployment]}
 * @typedef {{id: string, at: string, release: string}} Deployment
 */
function lastDeployments() {
  // With VEZNE_CONFIG, the last deployment may have been another Worker's.
  readDeployed({});
  /** @type {{created_on: string, versions: {version_id: string}[]}[]} */
  const list = readWrangler(['deployments', 'list', '--json']);
  const newest = list.toSorted((a, b) => b.created_on.localeCompare(a.created_on));
  const current = newest[0];
  const previous = newest.find(({versions}) => versions[0]?.version_id !== current?.versions[0]?.version_id);
  if (!current || !previous) throw new UserError('There is no earlier deployment to go back to.');
  return [toDeployment(current), toDeployment(previous)];
}

/** @param {{created_on: string, versions: {version_id: string}[]}} deployment @returns {Deployment} */
function toDeployment({created_on: at, versions}) {
  const id = versions[0]?.version_id ?? '';
  /** @type {{annotations?: Record<string, string>}} */
  const {annotations} = readWrangler(['versions', 'view', id, '--json']);
  const [, release] = VERSION_TAG.exec(annotations?.['workers/tag'] ?? '') ?? [];
  if (!release)
    throw new UserError(
      `The deployment of ${at} was not made by \`vezne deploy\`, so its version is unknown. If you know that its stores are ` +
        `the same: npx wrangler rollback ${id}`,
    );
  return {id, at, release};
}

/** @param {string[]} args @returns {any} What wrangler prints as JSON. */
function readWrangler(args) {
  const {status, stdout} = runWrangler(args, {stdout: 'pipe'});
  if (status !== 0) throw new UserError(`wrangler cannot read the deployments.\n${stdout}`);
  return JSON.parse(stdout);
}
