// @ts-check
// Starts the two servers of `npm start` and `npm run dev`: the Worker with its static files, and the sandbox on its own
// origin. These servers contact no other machine.

import {startNode} from './child-process.mjs';
import {repoPath, UserError, tools} from './repo.mjs';

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
  WRANGLER_REGISTRY_PATH: repoPath('.wrangler', 'registry'),
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
  return startNode(tools.wrangler, args, {
    env: quietWranglerEnv,
    onOutput: (text) => EXPECTED_DISCONNECT.test(text) || onOutput?.(text),
  });
}

/** @param {ServerOptions} options */
export const startSandbox = (options) => startWrangler('sandbox/wrangler.toml', [], options);

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

/** The service of the sandbox. Offers of other services are sold under this service. */
const SANDBOX_SERVICE = 'DEMO';

/** The origin of the demo site in wrangler.toml. */
const BASE_PAGE = 'http://localhost:5173';

/** @typedef {Record<string, any>} Table */

/**
 * The variables `OFFERS`, `OFFERS_2`, … as tables.
 * @param {Table} variables - Each is a table, or the same table as JSON text.
 * @param {string} file - The name of the file with these variables.
 * @returns {Record<string, Table>}
 */
export function readOffers(variables, file) {
  return Object.fromEntries(
    Object.entries(variables).map(([name, offers]) => {
      try {
        return [name, typeof offers === 'string' ? JSON.parse(offers) : offers];
      } catch {
        throw new UserError(`Not started:\n  ${name}: This is neither a table nor JSON.\nCorrect ${file}.`);
      }
    }),
  );
}

/**
 * The Worker's variables with offers. Offers of the demo link to the demo site at its port. An own offer replaces an
 * offer of the demo that has the same name.
 * @param {Record<string, Table>} demo - The variables of wrangler.toml.
 * @param {Record<string, Table>} own - The variables of the operator's own file.
 * @param {string} page - The origin of the demo site.
 * @returns {Record<string, string>}
 */
export function offerVars(demo, own, page) {
  /** @type {Table} */
  const ownOffers = Object.assign({}, ...Object.values(own));
  for (const [name, offer] of Object.entries(ownOffers))
    if (offer?.kind === 'payment') ownOffers[name] = {...offer, service: SANDBOX_SERVICE};
  const movePort = (/** @type {string} */ _, /** @type {unknown} */ value) =>
    typeof value === 'string' && value.startsWith(`${BASE_PAGE}/`) ? page + value.slice(BASE_PAGE.length) : value;
  return Object.fromEntries(
    Object.entries({OFFERS: {}, ...demo}).map(([name, offers]) => {
      const others = Object.entries(offers ?? {}).filter(([offer]) => !Object.hasOwn(ownOffers, offer));
      const moved = JSON.parse(JSON.stringify(Object.fromEntries(others)), movePort);
      return [name, JSON.stringify(name === 'OFFERS' ? {...moved, ...ownOffers} : moved)];
    }),
  );
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
