// @ts-check
// The two servers of the house as `npm start`, `npm run dev` and the e2e tests run them: the Worker with a site of files,
// and the sandbox on an origin of its own. Everything stays on this machine.

import {readFileSync} from 'node:fs';
import {startNode} from './child-process.mjs';
import {repoPath, UserError, tools} from './repo.mjs';

/**
 * @typedef {object} ServerOptions
 * @property {number} port
 * @property {string} [persistTo] Folder of the state; wrangler's own by default.
 * @property {Record<string, string>} [vars]
 * @property {boolean} [liveReload]
 * @property {(text: string) => void} [onOutput]
 */

/** Wrangler as a quiet guest: nothing is sent, asked or looked up elsewhere, and no trace of requests is kept. */
export const quietWranglerEnv = {
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: 'true',
  WRANGLER_REGISTRY_PATH: repoPath('.wrangler', 'registry'),
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_WRITE_LOGS: 'false',
  X_LOCAL_EXPLORER: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
};

/** What workerd says when a page goes away in the middle of an answer. That is what pages do. */
const EXPECTED_DISCONNECT = /kj::getCaughtExceptionAsKj\(\).*disconnected/;

/**
 * @param {string} config
 * @param {string[]} more
 * @param {ServerOptions} options
 */
function startWrangler(config, more, {port, persistTo, vars = {}, liveReload, onOutput}) {
  const args = [
    'dev',
    `--config=${config}`,
    '--ip=localhost',
    `--port=${port}`,
    '--inspector-port=0',
    '--log-level=warn',
    '--show-interactive-dev-session=false',
    ...(persistTo ? [`--persist-to=${persistTo}`] : []),
    ...(liveReload ? ['--live-reload'] : []),
    ...Object.entries(vars).map(([name, value]) => `--var=${name}:${value}`),
    ...more,
  ];
  return startNode(tools.wrangler, args, {
    env: quietWranglerEnv,
    onOutput: (text) => EXPECTED_DISCONNECT.test(text) || onOutput?.(text),
  });
}

/** @param {ServerOptions} options */
export const startSandbox = (options) => startWrangler('sandbox/wrangler.toml', [], options);

/** @param {ServerOptions & {site: string}} options */
export const startWorker = ({site, ...options}) => startWrangler('wrangler.toml', [`--assets=${site}`], options);

/**
 * What tells the Worker about its neighbours: the sandbox's four bases, and the pages that may use it.
 * @param {number} sandboxPort
 * @param {string[]} origins
 * @returns {Record<string, string>}
 */
export function workerVars(sandboxPort, origins) {
  const sandbox = `http://localhost:${sandboxPort}`;
  return {
    PHS_URL: `${sandbox}/phs`,
    MICROPAYMENT_URL: `${sandbox}/micropayment`,
    PAYMENT_PAGE_URL: `${sandbox}/pay`,
    LANDING_URL: `${sandbox}/landing`,
    ALLOWED_ORIGINS: origins.join(' '),
    RETURN_URLS: origins.join(' '),
    // The sandbox plays the mobile network too.
    ONE_CLICK: 'on',
  };
}

/** The pages that wrangler.toml lets in. @returns {string[]} */
export function configuredOrigins() {
  const [, listed = ''] = /^ALLOWED_ORIGINS = "(.*)"$/m.exec(readFileSync(repoPath('wrangler.toml'), 'utf8')) ?? [];
  return listed.split(' ').filter((origin) => origin !== '');
}

/**
 * What tells the sandbox about the Worker: where its notifications go.
 * @param {string} worker Origin.
 * @returns {Record<string, string>}
 */
export function sandboxVars(worker) {
  return {NOTIFY_URL: `${worker}/hooks/refund-result`};
}

/**
 * Waits until a server answers, with whatever status.
 * @param {import('./child-process.mjs').Child} child
 * @param {string} name What people call it.
 * @param {string} url
 */
export async function waitForServer(child, name, url) {
  const gone = new AbortController();
  void child.ended.then(() => gone.abort());
  const patience = AbortSignal.any([gone.signal, AbortSignal.timeout(60_000)]);
  while (!patience.aborted) {
    try {
      const answer = await fetch(url, {signal: AbortSignal.any([patience, AbortSignal.timeout(2000)])});
      await answer.body?.cancel();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  await child.end();
  throw new UserError(`${name} did not start:\n${child.output()}`);
}
