// @ts-check
// Builds the static files that the Worker serves: the elements, and for local use and tests also the demo site.

import {startNode} from '../../cli/child-process.mjs';
import {UserError, tools} from '../lib/repo.mjs';

/**
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
async function runVite(args, env) {
  const child = startNode(tools.vite, ['build', '--logLevel', 'warn', ...args], {
    env: {NODE_ENV: 'production', ...env},
  });
  if ((await child.ended) !== 0) throw new UserError(`The build failed:\n${child.output()}`);
}

/**
 * Builds the elements into a folder, which is emptied first.
 * @param {string} [site] - The default, `dist/site`, is the folder that is deployed.
 * @param {Record<string, string>} [env] - `VEZNE_VERSION` and `VEZNE_RELEASES`, which scripts/build reads.
 */
export const buildSite = (site, env = {}) => runVite(site ? ['--outDir', site] : [], env);

/**
 * The environment variables that demo/vite.config.ts reads.
 * @param {string} site
 * @param {string} sandbox - The sandbox's origin, which the demo's bank counter calls.
 */
export const demoEnv = (site, sandbox) => ({VEZNE_SITE: site, VEZNE_SANDBOX: sandbox});

/**
 * Builds the demo pages into a folder that already holds the elements.
 * @param {string} site
 * @param {string} sandbox
 */
export const buildDemo = (site, sandbox) => runVite(['-c', 'demo/vite.config.ts'], demoEnv(site, sandbox));

/** Builds the builder for the package; `npx vezne dev` serves it. @param {string} folder */
export const buildBuilder = (folder) =>
  runVite(['-c', 'demo/vite.config.ts'], {VEZNE_SITE: folder, VEZNE_PACKAGE: '1'});

/**
 * Rebuilds the elements and the demo on every change. Live reload needs an inline script, so the demo pages are built
 * without their strict Content-Security-Policy.
 * @param {string} site
 * @param {string} sandbox
 * @param {(text: string) => void} onOutput
 */
export function watchBuilds(site, sandbox, onOutput) {
  const options = {env: {NODE_ENV: 'production', VEZNE_DEV: '1', ...demoEnv(site, sandbox)}, onOutput};
  const watch = ['build', '--watch', '--logLevel', 'warn', '--emptyOutDir', 'false'];
  return {
    site: startNode(tools.vite, [...watch, '--outDir', site], options),
    demo: startNode(tools.vite, [...watch, '-c', 'demo/vite.config.ts'], options),
  };
}
