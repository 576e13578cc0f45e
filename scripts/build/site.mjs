// @ts-check
// Builds what the Worker serves: the script tag alone, or with the demo site around it.

import {startNode} from '../lib/child-process.mjs';
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
 * The files a merchant's Worker serves, into a folder that is emptied first.
 * @param {string} [site] `dist/site` by default, the folder that is deployed.
 */
export const buildSite = (site) => runVite(site ? ['--outDir', site] : [], {});

/**
 * What demo/vite.config.ts is told.
 * @param {string} site
 * @param {string} sandbox The sandbox's origin, which the bank counter talks to.
 */
export const demoEnv = (site, sandbox) => ({VEZNE_SITE: site, VEZNE_SANDBOX: sandbox});

/**
 * The demo pages, added to a folder that holds the kit.
 * @param {string} site
 * @param {string} sandbox
 */
export const buildDemo = (site, sandbox) => runVite(['-c', 'demo/vite.config.ts'], demoEnv(site, sandbox));

/**
 * Both again on every change. Live reload needs an inline script, so the pages go without their strict policy.
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
