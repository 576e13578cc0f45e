// @ts-check
// What is deployed: reads the deployments of a Worker, and which release each is of.

import {parseArgs} from 'node:util';
import {UserError} from './project.mjs';
import {compareVersions} from './releases.mjs';
import {runWrangler, VERSION_TAG} from './wrangler.mjs';

/**
 * What is deployed of a Worker.
 * @typedef {object} Deployed
 * @property {readonly {at: string, ids: readonly string[]}[]} deployments The newest first; none if there is no such
 *   Worker. Each has its versions, between which the traffic is split.
 * @property {(id: string) => string | undefined} releaseOf The release of a version; undefined if its tag is not ours.
 */

/**
 * Reads what is deployed with as few starts of wrangler as possible: one for the deployments, and a second one if a
 * release is asked for.
 * @param {readonly string[]} args - Of `wrangler deploy`; they may name another Worker.
 * @param {typeof runWrangler} run
 * @returns {Deployed}
 */
export function readWorker(args = [], run = runWrangler) {
  const text = /** @type {const} */ ({type: 'string'});
  const {values} = parseArgs({args: [...args], options: {name: text}, strict: false});
  const worker = typeof values.name === 'string' ? ['--name', values.name] : [];
  const read = (/** @type {string[]} */ ...command) => run([...command, '--json', ...worker], {output: 'pipe'});
  /** @type {Map<string, string | undefined> | undefined} */
  let releases;
  return {
    deployments: toDeployments(read('deployments', 'list')),
    releaseOf(id) {
      releases ??= listedReleases(toJson(read('versions', 'list')));
      if (!releases.has(id)) releases.set(id, toRelease(toJson(read('versions', 'view', id))));
      return releases.get(id);
    },
  };
}

/** @param {ReturnType<typeof runWrangler>} answer @returns {Deployed['deployments']} */
function toDeployments(answer) {
  // Cloudflare's code for a Worker that does not exist.
  if (answer.status !== 0 && /\[code: 10007\]/.test(answer.stderr + answer.stdout)) return [];
  /** @type {{created_on: string, versions: {version_id: string}[]}[]} */
  const list = toJson(answer);
  return list
    .toSorted((a, b) => b.created_on.localeCompare(a.created_on))
    .map(({created_on: at, versions}) => ({at, ids: versions.map(({version_id: id}) => id)}));
}

/** @typedef {{id: string, annotations?: Record<string, string>}} Version */

/**
 * The releases of the listed versions, which are the newest ones. A version that is listed without annotations may have
 * a tag nevertheless, so it counts as not listed.
 * @param {readonly Version[]} versions
 */
const listedReleases = (versions) =>
  new Map(versions.filter(({annotations}) => annotations).map((version) => [version.id, toRelease(version)]));

/** @param {Version} version */
const toRelease = ({annotations}) => VERSION_TAG.exec(annotations?.['workers/tag'] ?? '')?.[1];

/** @param {ReturnType<typeof runWrangler>} answer @returns {any} */
function toJson({status, stdout, stderr}) {
  if (status !== 0) throw new UserError(`wrangler cannot read what is deployed.\n${stderr}${stdout}`);
  return JSON.parse(stdout);
}

/**
 * The release that is deployed; undefined if none is, or none by `vezne deploy`. Setting a secret makes a deployment
 * without a tag, which has the code of the one before.
 * @param {Deployed} deployed
 */
export function deployedRelease({deployments, releaseOf}) {
  for (const {ids} of deployments) {
    const releases = ids.flatMap((id) => releaseOf(id) ?? []);
    if (releases.length > 0) return releases.toSorted(compareVersions).at(-1);
  }
  return undefined;
}

/**
 * The deployment that runs, and the one that it replaced when it was new: a rollback only activates a version again.
 * @param {Deployed} deployed
 * @returns {{current: Deployment, previous: Deployment}}
 * @typedef {{id: string, at: string, release: string}} Deployment
 */
export function lastDeployments({deployments, releaseOf}) {
  const [current] = deployments;
  const previous = deployments[deployments.findLastIndex(({ids}) => ids[0] === current?.ids[0]) + 1];
  if (!current || !previous) throw new UserError('There is no earlier deployment to go back to.');
  const toDeployment = (/** @type {Deployed['deployments'][number]} */ {at, ids: [id = '', ...others]}) => {
    const release = others.length === 0 ? releaseOf(id) : undefined;
    if (release) return {id, at, release};
    throw new UserError(
      `The deployment of ${at} was not made by \`vezne deploy\`, so its release is unknown. Deploy one: npx vezne deploy`,
    );
  };
  return {current: toDeployment(current), previous: toDeployment(previous)};
}
