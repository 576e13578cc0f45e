// @ts-check
// `npm start`: the demo site with the Worker, and the sandbox, as they would be deployed.
// `npm run dev` (`--watch`): the same, built and loaded again on every change.

import process from 'node:process';
import {install} from './lib/install.mjs';
import {repoPath, UserError} from './lib/repo.mjs';

install();
const {portFromEnv, requireFreePort} = await import('./lib/ports.mjs');
const {buildDemo, buildSite, watchBuilds} = await import('./build/site.mjs');
const {configuredOrigins, workerVars, sandboxVars, startSandbox, startWorker, waitForServer} =
  await import('./lib/stack.mjs');

const watching = process.argv.includes('--watch');
const command = watching ? 'npm run dev' : 'npm start';

const port = portFromEnv('PORT', 5173);
const sandboxPort = portFromEnv('SANDBOX_PORT', 8790);
if (port === sandboxPort)
  throw new UserError(`PORT and SANDBOX_PORT are both ${port}: the demo site and the sandbox need one each.`);
await requireFreePort(port, 'PORT', command);
await requireFreePort(sandboxPort, 'SANDBOX_PORT', command);

// Another pair of ports is another house, with files and state of its own: two can run side by side.
const suffix = port === 5173 && sandboxPort === 8790 ? '' : `-${port}-${sandboxPort}`;
const site = repoPath('dist', `demo${suffix}`);
const state = suffix && {
  worker: repoPath('.wrangler', `state${suffix}`),
  sandbox: repoPath('sandbox', '.wrangler', `state${suffix}`),
};

const page = `http://localhost:${port}`;
const sandbox = `http://localhost:${sandboxPort}`;

/** @type {[name: string, child: import('./lib/child-process.mjs').Child][]} */
const running = [];
let ending = false;

/** @param {number} code */
async function end(code) {
  if (ending) return;
  ending = true;
  await Promise.all(running.map(([, child]) => child.end()));
  process.exit(code);
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => void end(0));

/**
 * One of them gone means the rest would mislead: all end.
 * @param {string} name
 * @param {import('./lib/child-process.mjs').Child} child
 */
function keep(name, child) {
  running.push([name, child]);
  void child.ended.then(() => {
    if (!ending) console.error(`${name} has ended; so does the rest.`);
    return end(1);
  });
  return child;
}

/** @param {string} text */
const show = (text) => void process.stderr.write(text);

try {
  console.log('Building …');
  await buildSite(site);
  await buildDemo(site, sandbox);

  const sandboxServer = keep(
    'The sandbox',
    startSandbox({
      port: sandboxPort,
      ...(state && {persistTo: state.sandbox}),
      vars: sandboxVars(page),
      onOutput: show,
    }),
  );
  const worker = keep(
    'The Worker',
    startWorker({
      port,
      site,
      ...(state && {persistTo: state.worker}),
      vars: workerVars(sandboxPort, [...new Set([page, ...configuredOrigins()])]),
      liveReload: watching,
      onOutput: show,
    }),
  );
  await Promise.all([
    waitForServer(sandboxServer, 'The sandbox', `${sandbox}/phs/bank/getAll`),
    waitForServer(worker, 'The Worker', `${page}/health`),
  ]);

  if (watching) {
    const {site: siteBuild, demo} = watchBuilds(site, sandbox, show);
    keep('The build of the site', siteBuild);
    keep('The build of the demo', demo);
  }
  console.log(
    `\n  Demo site  ${page}\n  Sandbox    ${sandbox}\n\n  ${watching ? 'Watching for changes. ' : ''}Ctrl-C ends both.\n`,
  );
} catch (error) {
  if (!ending) {
    console.error(error instanceof Error && error.name === 'UserError' ? error.message : error);
    await end(1);
  }
}
