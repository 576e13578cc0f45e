// @ts-check
// Builds `vezne/worker`: the Worker in one file, which a shop's wrangler bundles again and deploys.

import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {quietWranglerEnv} from '../../cli/servers.mjs';
import {nodeBinary, repoPath, root, tools, UserError} from '../lib/repo.mjs';
import {LICENCES_FILE, licenceNotices} from './licences.mjs';

/**
 * Bundles a Worker exactly as `wrangler deploy` does, and writes `bundle-meta.json` about the bundle.
 * @param {string} config
 * @param {string} outdir - Emptied first.
 */
export function bundleWorker(config, outdir) {
  rmSync(outdir, {recursive: true, force: true});
  const args = [tools.wrangler, 'deploy', '--dry-run', '--minify', '--metafile', '-c', config, '--outdir', outdir];
  try {
    execFileSync(nodeBinary(), args, {
      cwd: root,
      env: {...process.env, ...quietWranglerEnv},
      stdio: 'pipe',
      encoding: 'utf8',
    });
  } catch (error) {
    const {stdout, stderr} = /** @type {{stdout: string, stderr: string}} */ (error);
    throw new UserError(`${config} cannot be deployed:\n${stdout}${stderr}`);
  }
}

/**
 * Writes a Worker as one file, without its source map and with the licence notices of what it contains.
 * @param {string} config
 * @param {string} bundled - The folder of the bundle with its source map.
 * @param {string} out - The output folder, emptied first.
 */
export function packWorker(config, bundled, out) {
  bundleWorker(config, bundled);
  rmSync(out, {recursive: true, force: true});
  mkdirSync(out, {recursive: true});
  const code = readFileSync(path.join(bundled, 'index.js'), 'utf8');
  writeFileSync(path.join(out, 'index.js'), code.replace(/^\/\/# sourceMappingURL=.*$/m, ''));
  /** @type {{sources: string[]}} */
  const {sources} = JSON.parse(readFileSync(path.join(bundled, 'index.js.map'), 'utf8'));
  const notices = licenceNotices(sources.map((source) => path.resolve(bundled, source)));
  if (notices) writeFileSync(path.join(out, LICENCES_FILE), notices);
}

/** The types of the Worker's exports, which need no other package. @param {string} entry */
function workerTypes(entry) {
  const classes = [...entry.matchAll(/^export \{(\w+)\}/gm)].map(([, name]) => name);
  return `/** The Worker. A shop's whole server is: export * from 'vezne/worker'; export {default} from 'vezne/worker'; */
declare const worker: {fetch(request: Request, env: never, ctx: never): Promise<Response>};
export default worker;

/** A class of Durable Objects, which \`[exports]\` in wrangler.toml declares. */
interface ObjectClass {
  new (ctx: never, env: never): object;
}
${classes.map((name) => `export declare const ${name}: ObjectClass;\n`).join('')}`;
}

/** @param {string} [out] - The output folder, emptied first. */
export function buildWorkerPackage(out = repoPath('dist', 'worker')) {
  packWorker('wrangler.toml', repoPath('.cache', 'worker-package'), out);
  writeFileSync(path.join(out, 'index.d.ts'), workerTypes(readFileSync(repoPath('worker', 'index.ts'), 'utf8')));
}
