// @ts-check
// `vezne update`: says what a newer version changes and what its stores allow, then installs, checks and deploys it.
// `vezne rollback`: activates the deployment before this one, unless a store has changed since.

import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {readDeployed, readOwn} from './configuration.mjs';
import {requireConsent} from './consent.mjs';
import {deployedRelease, lastDeployments, readWorker} from './deployments.mjs';
import {runNpm} from './npm.mjs';
import {print} from './print.mjs';
import {
  editedName,
  generatedPath,
  isClone,
  manifest,
  nodeBinary,
  packagePath,
  projectPath,
  UserError,
  wranglerFile,
} from './project.mjs';
import {changesBetween, compareVersions, storeChangesBetween} from './releases.mjs';
import {runWrangler} from './wrangler.mjs';

/** The addresses of the platform. A project without any of them only runs with the sandbox. */
const ADDRESSES = ['PHS_URL', 'MICROPAYMENT_URL', 'LANDING_URL'];

/**
 * A version that npm has installed apart from the project.
 * @typedef {object} Next
 * @property {string} spec What npm installs.
 * @property {string} folder
 * @property {string} version
 * @property {string | undefined} wrangler The version of wrangler that it was tested with.
 * @property {string} changelog
 */

/**
 * What an update reads and does.
 * @typedef {object} UpdateSteps
 * @property {string} installed The version of this project.
 * @property {() => Next} fetchNext
 * @property {() => boolean} hasPlatform Whether the settings name one: otherwise nothing is deployed.
 * @property {() => string | undefined} readRelease The release that is deployed.
 * @property {() => Promise<void>} requireConsent
 * @property {(next: Next) => boolean} check Whether the next version accepts the settings.
 * @property {(next: Next) => void} install
 * @property {() => boolean} deploy Whether the installed version is deployed.
 */

/** @param {string[]} args */
export async function update(args) {
  const {wanted = 'latest', isAgreed} = readOptions(args);
  await updateProject(wanted, updateSteps(wanted, isAgreed));
}

/** @param {string} wanted @param {boolean} isAgreed @returns {UpdateSteps} */
export function updateSteps(wanted, isAgreed) {
  return {
    installed: manifest.version,
    fetchNext: () => fetchNext(wanted),
    hasPlatform: () => ADDRESSES.some((name) => readOwn()?.['vars']?.[name]),
    readRelease: () => deployedRelease(readOwnWorker()),
    requireConsent: () => requireConsent('Update', isAgreed),
    check: ({folder}) => runVezne(folder, ['deploy', '--dry-run']) === 0,
    install: ({spec, wrangler}) => install(spec, wrangler),
    deploy: () => runVezne(projectPath('node_modules', 'vezne'), ['deploy']) === 0,
  };
}

/** What is deployed of the Worker of this project. */
function readOwnWorker() {
  // With VEZNE_CONFIG, the last deployment may have been another Worker's.
  readDeployed();
  return readWorker();
}

/** @param {string} wanted @param {UpdateSteps} steps */
export async function updateProject(wanted, {installed, ...steps}) {
  const next = steps.fetchNext();
  const order = compareVersions(next.version, installed);
  if (order === 0) return void print(`Vezne ${installed} is what ${wanted} names: there is nothing to update.`);
  if (order < 0) throw new UserError(`${next.version} is older than ${installed}. To go back: npx vezne rollback`);
  const isDeployed = steps.hasPlatform();
  const deployed = (isDeployed ? steps.readRelease() : undefined) ?? installed;
  if (compareVersions(next.version, deployed) < 0)
    throw new UserError(
      `Release ${deployed} is deployed, which is later than ${next.version}: npx vezne update ${deployed}`,
    );
  print(explainUpdate(next, installed, deployed));
  await steps.requireConsent();
  // The new version's own check, before anything changes.
  if (isDeployed && !steps.check(next))
    throw new UserError(`Nothing has changed. Correct this, and run \`npx vezne update\` again.`);
  steps.install(next);
  if (!isDeployed) return void print(`Updated to ${next.version}. Nothing is deployed, because no platform is set.`);
  if (!steps.deploy())
    throw new UserError(
      `Vezne ${next.version} is installed, but not deployed. Correct what is named above and run \`npx vezne deploy\`, or ` +
        `install the version before: npm install vezne@${installed}`,
    );
}

/** @param {Next} next @param {string} installed @param {string} deployed */
function explainUpdate({version, changelog}, installed, deployed) {
  const changes = changesBetween(changelog, installed, version);
  const storing = storeChangesBetween(changelog, deployed, version);
  return (
    `Vezne ${installed} → ${version}\n\n${changes.map(({text}) => text.trim()).join('\n\n')}\n\n` +
    (storing.length === 0
      ? 'No store changes, so `npx vezne rollback` can go back.'
      : `Stores change in ${storing.map((each) => each.version).join(', ')}: after this you cannot go back to ${deployed}.`)
  );
}

/** @param {string[]} args */
export async function rollback(args) {
  const {isAgreed} = readOptions(args);
  const {current, previous} = planRollback(readOwnWorker(), manifest.version, readChangelog(packagePath()));
  print(
    `Back from ${current.release}, deployed ${current.at}, to ${previous.release}, deployed ${previous.at}, with its ` +
      'settings and its secrets. A secret that has changed since gets its old value.',
  );
  await requireConsent('Go back', isAgreed);
  await activate(previous.id, `vezne rollback from ${current.release}`, isAgreed);
  print(
    `${previous.release} runs. ${editedName()} and the file of secrets are as they were, and the next deployment deploys them.`,
  );
  if (previous.release !== manifest.version) install(`vezne@${previous.release}`);
}

/**
 * The deployment that runs and the one to go back to. Throws if a rollback would refuse what is stored.
 * @param {import('./deployments.mjs').Deployed} deployed
 * @param {string} installed
 * @param {string} changelog - Of the installed version.
 */
export function planRollback(deployed, installed, changelog) {
  const {current, previous} = lastDeployments(deployed);
  // What its stores are stands only in its own CHANGELOG.md.
  if (compareVersions(installed, current.release) < 0)
    throw new UserError(
      `Release ${current.release} is deployed, and ${installed} does not know its stores. First: npm install vezne@${current.release}`,
    );
  if (compareVersions(previous.release, current.release) > 0)
    throw new UserError(
      `The deployment before is of a later release, ${previous.release}. Go on to it: npx vezne update`,
    );
  const changes = storeChangesBetween(changelog, previous.release, current.release);
  if (changes.length > 0)
    throw new UserError(
      `Vezne cannot go back from ${current.release} to ${previous.release}, because stores have changed:\n` +
        `${changes.map(({version, stores}) => `  ${version}: ${stores}`).join('\n')}\n` +
        'The earlier version would refuse what the later one has stored. Install a later version that is repaired: npx vezne update',
    );
  return {current, previous};
}

/**
 * Activates a version. `wrangler rollback` would give changed secrets their old values without a question if there is no
 * terminal, so it comes second.
 * @param {string} id
 * @param {string} message
 * @param {boolean} isAgreed - To going back, not to old secrets.
 * @param {{run: typeof runWrangler, ask: (what: string) => Promise<void>}} steps
 */
export async function activate(
  id,
  message,
  isAgreed,
  {run, ask} = {run: runWrangler, ask: (what) => requireConsent(what, false)},
) {
  const options = ['--message', message, '--yes'];
  const {status, stdout, stderr} = run(['versions', 'deploy', `${id}@100%`, ...options], {output: 'pipe'});
  if (status === 0) return;
  const [, secrets] = /secrets have changed: *([^\n[]*\w)/.exec(stderr + stdout) ?? [];
  const refusal = 'Cloudflare refused it. Deploy a repaired later version: npx vezne update';
  if (!secrets) throw new UserError(`${stderr}${stdout}\n${refusal}`);
  print(`These secrets have changed since, and would get their old values: ${secrets}`);
  if (isAgreed)
    throw new UserError('Nothing has changed. --yes does not allow this; in a terminal, without it, the command asks.');
  await ask('Use the old values');
  if (run(['rollback', id, ...options]).status !== 0) throw new UserError(refusal);
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

/**
 * Installs a version apart from the project.
 * @param {string} wanted - A version, a tag of npm, or the path of a tarball.
 * @returns {Next}
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
  return {spec, folder, version, wrangler, changelog: readChangelog(folder)};
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

/** @param {string} folder - Of a version. */
const readChangelog = (folder) => readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8');
