// @ts-check
// `vezne deploy`: checks the settings, builds the files that pages load if this is a clone, deploys the Worker with its
// secrets, examines it, and prints the tags of a page. Arguments are passed to `wrangler deploy`, except `--allow-older`.

import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {setTimeout as wait} from 'node:timers/promises';
import {checkSettings} from './check-settings.mjs';
import {addressOf, readOwn, siteFolder} from './configuration.mjs';
import {deployedRelease, readWorker} from './deployments.mjs';
import {doctor} from './doctor.mjs';
import {readKey} from './key-address.mjs';
import {reserve} from './leftovers.mjs';
import {closest} from './mistakes.mjs';
import {print, printError} from './print.mjs';
import {editedName, generatedPath, isClone, manifest, secretsFile, shown, UserError} from './project.mjs';
import {compareVersions} from './releases.mjs';
import {readOwnSecrets, writePrivateFile} from './secrets.mjs';
import {copySite} from './site.mjs';
import {readText} from './web/read-text.mjs';
import {deployWithWrangler} from './wrangler.mjs';

/** What wrangler cannot say, because it does not know our files. */
const advice = () =>
  `If secrets are missing, write them into ${path.basename(secretsFile())}. If you are not logged in, run \`npx wrangler login\`. ` +
  `If it is the wrong account, or one of several, set account_id in ${editedName()}. Then deploy again.`;

/** How long a new address may need until it answers. */
const FIRST_ANSWER_MS = 60_000;

/** Deploys a release that is older than the deployed one. */
const ALLOW_OLDER = '--allow-older';
/** Misspelt, these are refused at once: wrangler refuses them only after the site is built. */
const CHECKED_FLAGS = ['--dry-run', ALLOW_OLDER];

/** @param {string[]} given @param {import('./main.mjs').Builder | null} builder */
export async function deploy(given, builder) {
  const args = given.filter((arg) => arg !== ALLOW_OLDER);
  for (const arg of args) {
    const meant = arg.startsWith('--') ? closest(arg, CHECKED_FLAGS) : undefined;
    if (meant !== undefined && meant !== arg)
      throw new UserError(`Not deployed: there is no argument ${arg}. Did you mean ${meant}?`);
  }
  const unseen = checkSettings(args);
  requireNotOlder(given, manifest.version, () => deployedRelease(readWorker(args)));
  if (builder) {
    print('Building …');
    await builder.buildSite();
  } else copySite(siteFolder());
  const tag = args.includes('--tag') ? [] : ['--tag', `vezne-${manifest.version}`];
  const {isDone, targets} = withSecrets(args, (secrets) => deployWithWrangler([...tag, ...secrets, ...args]));
  if (!isDone) throw new UserError(`Not deployed: see what wrangler says above.\n${advice()}`);
  if (args.includes('--dry-run')) return void print(describeDryRun(unseen));
  const address = addressOf(readOwn() ?? {}) ?? targets.find((target) => target.startsWith('https://'));
  if (address === undefined) return void print(`Deployed. Examine it: ${shown('doctor')} --url https://…`);
  await examine(address);
  printTags(address);
}

/**
 * What a dry run did not look for, because it does not call Cloudflare.
 * @param {readonly string[]} unseen - The secrets that are needed and are in no file.
 */
function describeDryRun(unseen) {
  const file = path.basename(secretsFile());
  return [
    '\nNothing was deployed. A dry run does not call Cloudflare, so it did not look for',
    '  your login, your account, the domain, and whether a later release is deployed,',
    ...(unseen.length > 0 ? [`  these secrets, which are not in ${file}: ${unseen.join(', ')}.`] : []),
    unseen.length > 0
      ? 'A deployment is refused if Cloudflare does not have these secrets either.'
      : `  and secrets: ${file} has all that these settings need.`,
  ].join('\n');
}

/**
 * Throws if a later release is deployed: an earlier one refuses every store that a later one has upgraded.
 * @param {readonly string[]} given - The arguments of the command.
 * @param {string} version
 * @param {() => string | undefined} readRelease - The release that is deployed.
 */
export function requireNotOlder(given, version, readRelease) {
  if (given.includes('--dry-run') || given.includes(ALLOW_OLDER)) return;
  const release = readRelease();
  if (release === undefined || compareVersions(version, release) >= 0) return;
  throw new UserError(
    `Not deployed: release ${release} is deployed, and this is ${version}, which may refuse what is stored. ` +
      `${isClone ? `Check out ${release}` : `Run \`npm install vezne@${release}\``}, or deploy with ${ALLOW_OLDER}.`,
  );
}

/** A copy as JSON: wrangler would replace `$` and names of the environment in other files. */
const SECRETS_TO_SEND = 'secrets.json';

/**
 * Calls with the arguments that send the shop's own secrets, whose copy exists only during the call.
 * @template T
 * @param {readonly string[]} args
 * @param {(secrets: string[]) => T} call
 */
function withSecrets(args, call) {
  const isGiven = args.some((arg) => arg === '--secrets-file' || arg.startsWith('--secrets-file='));
  const secrets = Object.entries(readOwnSecrets()).filter(([, value]) => value !== '');
  if (isGiven || secrets.length === 0) return call([]);
  for (const signal of SIGNALS) process.on(signal, ignore);
  const remove = reserve(SECRETS_TO_SEND);
  try {
    const copy = generatedPath(SECRETS_TO_SEND);
    writePrivateFile(copy, JSON.stringify(Object.fromEntries(secrets)));
    return call(['--secrets-file', copy]);
  } finally {
    remove();
    for (const signal of SIGNALS) process.off(signal, ignore);
  }
}

/** Ctrl-C ends wrangler. Without a listener, it would also end this process before it removes the copy. */
const ignore = () => {};
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** Runs the doctor, as soon as the address answers. @param {string} address */
async function examine(address) {
  print(`\nExamining ${address} …`);
  for (const end = Date.now() + FIRST_ANSWER_MS; Date.now() < end; await wait(2000)) {
    const isThere = await readText(new URL('/health', address)).catch(() => null);
    if (isThere) break;
  }
  if (!readKey().key)
    return void print(`Without MERCHANT_API_KEY nothing is examined: MERCHANT_API_KEY=… ${shown('doctor')}`);
  await doctor(['--url', address]).catch((error) => {
    printError(error);
    process.exitCode = 1;
  });
}

/**
 * The lines of a page for the first offer, with the digest of the script of this release. In a clone, the next build may
 * change the script.
 * @param {string} address
 */
function printTags(address) {
  const file = path.join(siteFolder(), 'vezne', 'releases.json');
  /** @type {{releases: {version: string, files: Record<string, string>}[]}} */
  const {releases} = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {releases: []};
  const files = releases.find(({version}) => version === manifest.version)?.files;
  const [[name, offer] = []] = Object.entries(
    /** @type {Record<string, {kind: string}>} */ (readOwn()?.['vars']?.['OFFERS'] ?? {}),
  );
  if (!name) return;
  const [script, element] =
    offer?.kind === 'subscription' ? ['subscribe', 'vezne-pin-subscribe'] : ['checkout', 'vezne-checkout'];
  const integrity = isClone ? undefined : files?.[`${script}.js`];
  const source = integrity
    ? `src="${address}/vezne/${manifest.version}/${script}.js" integrity="${integrity}" crossorigin`
    : `src="${address}/${script}.js?offer=${name}"`;
  print(
    `\nThe tags of a page:\n  <script type="module" ${source}></script>\n  <${element} offer="${name}"></${element}>`,
  );
}
