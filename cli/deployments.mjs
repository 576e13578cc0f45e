// @ts-check
// What is deployed: reads the deployments of a Worker, and which release each is of.

import {parseArgs} from 'node:util';
import {UserError} from './project.mjs';
import {runWrangler, VERSION_TAG} from './wrangler.mjs';

/** Compares versions by their numbers. @param {string} a @param {string} b */
export const compareVersions = (a, b) => a.localeCompare(b, 'en', {numeric: true});

/**
 * The deployments of a Worker, the newest first; none if there is no such Worker. Traffic may be split between versions.
 * @param {readonly string[]} worker - The options of wrangler that name it.
 * @returns {{at: string, ids: string[]}[]}
 */
function readDeployments(worker = []) {
  const answer = runWrangler(['deployments', 'list', '--json', ...worker], {output: 'pipe'});
  // Cloudflare's code for a Worker that does not exist.
  if (answer.status !== 0 && /\[code: 10007\]/.test(answer.stderr + answer.stdout)) return [];
  /** @type {{created_on: string, versions: {version_id: string}[]}[]} */
  const list = toJson(answer);
  return list
    .toSorted((a, b) => b.created_on.localeCompare(a.created_on))
    .map(({created_on: at, versions}) => ({at, ids: versions.map(({version_id: id}) => id)}));
}

/** @param {string} id @param {readonly string[]} worker @returns {string | undefined} Undefined if its tag is not ours. */
function releaseOf(id, worker = []) {
  /** @type {{annotations?: Record<string, string>}} */
  const {annotations} = toJson(runWrangler(['versions', 'view', id, '--json', ...worker], {output: 'pipe'}));
  return VERSION_TAG.exec(annotations?.['workers/tag'] ?? '')?.[1];
}

/** @param {ReturnType<typeof runWrangler>} answer @returns {any} */
function toJson({status, stdout, stderr}) {
  if (status !== 0) throw new UserError(`wrangler cannot read what is deployed.\n${stderr}${stdout}`);
  return JSON.parse(stdout);
}

/**
 * The release that is deployed; undefined if none is, or none by `vezne deploy`. Setting a secret makes a deployment
 * without a tag, which has the code of the one before.
 * @param {readonly string[]} args - Of `wrangler deploy`; they may name another Worker.
 */
export function deployedRelease(args = []) {
  const text = /** @type {const} */ ({type: 'string'});
  const {values} = parseArgs({args: [...args], options: {name: text, env: {...text, short: 'e'}}, strict: false});
  const worker = Object.entries(values).flatMap(([name, value]) =>
    (name === 'name' || name === 'env') && typeof value === 'string' ? [`--${name}`, value] : [],
  );
  for (const {ids} of readDeployments(worker)) {
    const releases = ids.flatMap((id) => releaseOf(id, worker) ?? []);
    if (releases.length > 0) return releases.toSorted(compareVersions).at(-1);
  }
  return undefined;
}

/**
 * The deployment that runs, and the one that it replaced when it was new: a rollback only activates a version again.
 * @returns {[Deployment, Deployment]}
 * @typedef {{id: string, at: string, release: string}} Deployment
 */
export function lastDeployments() {
  const list = readDeployments();
  const [current] = list;
  const previous = list[list.findLastIndex(({ids}) => ids[0] === current?.ids[0]) + 1];
  if (!current || !previous) throw new UserError('There is no earlier deployment to go back to.');
  return [toDeployment(current), toDeployment(previous)];
}

/** @param {{at: string, ids: string[]}} deployment @returns {Deployment} */
function toDeployment({at, ids: [id = '', ...others]}) {
  const release = others.length === 0 ? releaseOf(id) : undefined;
  if (release) return {id, at, release};
  throw new UserError(
    `The deployment of ${at} was not made by \`vezne deploy\`, so its release is unknown. Deploy one: npx vezne deploy`,
  );
}
