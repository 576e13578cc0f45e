// @ts-check
// Starts the two servers of `vezne dev` and `npm start`: the Worker with its static files, and the sandbox on its own
// origin. These servers contact no other machine.

import {startNode} from './child-process.mjs';
import {projectPath, UserError, wranglerFile} from './project.mjs';

/**
 * @typedef {object} ServerOptions
 * @property {number} port
 * @property {string} [persistTo] The folder for stored state; by default wrangler's.
 * @property {Record<string, string>} [vars]
 * @property {boolean} [liveReload]
 * @property {(text: string) => void} [onOutput]
 */

/** Settings that keep wrangler from contacting other servers, asking questions and recording requests. */
export const quietWranglerEnv = {
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: 'true',
  WRANGLER_REGISTRY_PATH: projectPath('.wrangler', 'registry'),
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_WRITE_LOGS: 'false',
  X_LOCAL_EXPLORER: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
};

/** What workerd logs when a page closes before it has read an answer, which is normal. */
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
  return startNode(wranglerFile(), args, {
    env: quietWranglerEnv,
    onOutput: (text) => EXPECTED_DISCONNECT.test(text) || onOutput?.(text),
  });
}

/** @param {ServerOptions & {config?: string}} options */
export const startSandbox = ({config = 'sandbox/wrangler.toml', ...options}) => startWrangler(config, [], options);

/** @param {ServerOptions & {site: string, config?: string}} options */
export const startWorker = ({site, config = 'wrangler.toml', ...options}) =>
  startWrangler(config, [`--assets=${site}`], options);

/**
 * The Worker's configuration: the sandbox's four interfaces, and the origins of the pages that may use the Worker.
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
    // The sandbox also acts as the mobile network.
    ONE_CLICK: 'on',
  };
}

/**
 * The sandbox's configuration: where it sends its notifications.
 * @param {string} worker - The Worker's origin.
 * @returns {Record<string, string>}
 */
export function sandboxVars(worker) {
  return {NOTIFY_URL: `${worker}/hooks/refund-result`};
}

/**
 * Waits until a server answers with any status.
 * @param {import('./child-process.mjs').Child} child
 * @param {string} name - The server's name for the error message.
 * @param {string} url
 */
export async function waitForServer(child, name, url) {
  const serverEnded = new AbortController();
  void child.ended.then(() => serverEnded.abort());
  const giveUp = AbortSignal.any([serverEnded.signal, AbortSignal.timeout(150_000)]);
  while (!giveUp.aborted) {
    try {
      const signal = AbortSignal.any([giveUp, AbortSignal.timeout(10_000)]);
      // The sandbox leads to the demo, which may not run.
      const answer = await fetch(url, {redirect: 'manual', signal});
      await answer.body?.cancel();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  await child.end();
  throw new UserError(`${name} did not start:\n${child.output()}`);
}
