// @ts-check
// `npm start` builds the elements and the demo site as for production, and runs the Worker, which serves them, and the
// sandbox. `npm run dev` (`--watch`) does the same, and rebuilds and reloads the pages on every change.

import process from 'node:process';
import {install} from './lib/install.mjs';
import {runWithWorkerSources} from './lib/own-configuration.mjs';
import {repoPath, UserError} from './lib/repo.mjs';

install();
const {portFromEnv, requireFreePort} = await import('./lib/ports.mjs');
const {buildDemo, buildSite, watchBuilds} = await import('./build/site.mjs');
const {sandboxVars, startSandbox, startWorker, waitForServer} = await import('./lib/stack.mjs');

const watching = process.argv.includes('--watch');
const command = watching ? 'npm run dev' : 'npm start';

const port = portFromEnv('PORT', 5173);
const sandboxPort = portFromEnv('SANDBOX_PORT', 8790);
if (port === sandboxPort)
  throw new UserError(`PORT and SANDBOX_PORT are both ${port}: the demo site and the sandbox need different ports.`);
await requireFreePort(port, 'PORT', command, ['SANDBOX_PORT']);
await requireFreePort(sandboxPort, 'SANDBOX_PORT', command, ['PORT']);

// Ports other than the defaults use other folders for files and state, so that two demos can run side by side.
const suffix = port === 5173 && sandboxPort === 8790 ? '' : `-${port}-${sandboxPort}`;
const site = repoPath('dist', `demo${suffix}`);
const state = suffix && {
  worker: repoPath('.wrangler', `state${suffix}`),
  sandbox: repoPath('sandbox', '.wrangler', `state${suffix}`),
};

const page = `http://localhost:${port}`;
const sandbox = `http://localhost:${sandboxPort}`;

const printed = runWithWorkerSources('print-configuration.mjs', ['start', page, String(sandboxPort)], 'pipe');
if (printed.status !== 0) process.exit(printed.status ?? 1);
/** @type {Record<string, string>} */
const vars = JSON.parse(printed.stdout);

/** @type {[name: string, child: import('./lib/child-process.mjs').Child][]} */
const running = [];
let isEnding = false;

/** @param {number} code */
async function end(code) {
  if (isEnding) return;
  isEnding = true;
  await Promise.all(running.map(([, child]) => child.end()));
  process.exit(code);
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => void end(0));

/**
 * Ends all processes when one of them ends, so that the user does not work with only some of the servers.
 * @param {string} name
 * @param {import('./lib/child-process.mjs').Child} child
 */
function watch(name, child) {
  running.push([name, child]);
  void child.ended.then(() => {
    if (!isEnding) console.error(`${name} has ended, so everything stops.`);
    return end(1);
  });
  return child;
}

/** @param {string} text */
const printOutput = (text) => void process.stderr.write(text);

try {
  console.log('Building …');
  await buildSite(site);
  await buildDemo(site, sandbox);

  const sandboxServer = watch(
    'The sandbox',
    startSandbox({
      port: sandboxPort,
      ...(state && {persistTo: state.sandbox}),
      vars: sandboxVars(page),
      onOutput: printOutput,
    }),
  );
  const worker = watch(
    'The Worker',
    startWorker({
      port,
      site,
      ...(state && {persistTo: state.worker}),
      vars,
      liveReload: watching,
      onOutput: printOutput,
    }),
  );
  await Promise.all([
    waitForServer(sandboxServer, 'The sandbox', `${sandbox}/phs/bank/getAll`),
    waitForServer(worker, 'The Worker', `${page}/health`),
  ]);

  if (watching) {
    const {site: siteBuild, demo} = watchBuilds(site, sandbox, printOutput);
    watch('The build of the elements', siteBuild);
    watch('The build of the demo', demo);
  }
  console.log(
    `\n  Demo site  ${page}\n  Sandbox    ${sandbox}\n\n  ${watching ? 'Watching for changes. ' : ''}Ctrl-C ends both.\n`,
  );
} catch (error) {
  if (!isEnding) {
    console.error(error instanceof Error && error.name === 'UserError' ? error.message : error);
    await end(1);
  }
}
