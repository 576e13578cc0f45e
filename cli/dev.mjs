// @ts-check
// `vezne dev`: runs the Worker, which also serves the builder, and the sandbox. In a clone, `npm start` builds the
// elements and the demo site as for production, and serves them; `npm run dev` (`--watch`) also rebuilds them on every
// change.

import {cpSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {parseArgs} from 'node:util';
import {writeDevConfiguration} from './configuration.mjs';
import {devSettings, SANDBOX_SERVICE} from './dev-settings.mjs';
import {reserve} from './leftovers.mjs';
import {offerVariables} from './mistakes.mjs';
import {portFromEnv, readPort, requireFreePort} from './ports.mjs';
import {print, printError} from './print.mjs';
import {generatedPath, isClone, packagePath, projectPath, shown, UserError} from './project.mjs';
import {sandboxVars, startSandbox, startWorker, waitForServer} from './servers.mjs';
import {copySite} from './site.mjs';

/** @typedef {import('./child-process.mjs').Child} Child */

/** @param {string[]} args @param {import('./main.mjs').Builder | null} builder */
export async function dev(args, builder) {
  const given = readArguments(args);
  const watching = builder !== null && given.watch === true;
  const [port, sandboxPort] = await choosePorts(watching ? 'npm run dev' : shown('dev'), given);
  const page = `http://localhost:${port}`;
  const sandbox = `http://localhost:${sandboxPort}`;
  // Ports other than the defaults use other folders for files and state, so that two of these can run side by side.
  const suffix = port === 5173 && sandboxPort === 8790 ? '' : `-${port}-${sandboxPort}`;
  const site = builder ? packagePath('dist', `demo${suffix}`) : generatedPath(`dev-site${suffix}`);
  const state = {
    worker: projectPath('.wrangler', `state${suffix}`),
    sandbox: isClone
      ? packagePath('sandbox', '.wrangler', `state${suffix}`)
      : projectPath('.wrangler', `sandbox${suffix}`),
  };
  const {vars, secrets, publicKey, replaced} = devSettings(page, sandboxPort);
  reserve(`dev${suffix}`, {origin: page});
  const configs = writeDevConfiguration(`dev${suffix}`, {vars, secrets, sandboxVars: sandboxVars(page)});
  if (replaced.length > 0)
    print(
      `The sandbox has its own values in place of yours: ${replaced.join(', ')}. Its service is ${SANDBOX_SERVICE}.`,
    );

  const servers = new Servers();
  try {
    if (builder) {
      print('Building …');
      await builder.buildDemo(site, sandbox);
    } else writePages(site, {sandbox, key: publicKey, offers: readOffersOf(vars)});
    const sandboxServer = servers.watch(
      'The sandbox',
      startSandbox({port: sandboxPort, config: configs.sandbox, persistTo: state.sandbox, onOutput: printOutput}),
    );
    const worker = servers.watch(
      'The Worker',
      startWorker({
        port,
        site,
        config: configs.worker,
        persistTo: state.worker,
        liveReload: watching,
        onOutput: printOutput,
      }),
    );
    await Promise.all([
      waitForServer(sandboxServer, 'The sandbox', `${sandbox}/phs/bank/getAll`),
      waitForServer(worker, 'The Worker', `${page}/health`),
    ]);
    if (watching) {
      const builds = await builder.watch(site, sandbox, printOutput);
      for (const [name, build] of Object.entries(builds)) servers.watch(`The build of ${name}`, build);
    }
    const title = builder ? 'Demo site' : 'Builder  ';
    print(
      `\n  ${title}  ${page}\n  Sandbox    ${sandbox}\n  Pay        ${isClone ? `${page}/bank` : `${shown('pay')} <order code>`}${describeDesk(page, vars, publicKey)}\n\n  ${watching ? 'Watching for changes. ' : ''}Ctrl-C ends both.\n`,
    );
  } catch (error) {
    if (servers.areEnding) return;
    printError(error);
    await servers.end(1);
  }
}

/**
 * The line with the address of the desk, and the key of the sandbox, which everybody knows.
 * @param {string} page
 * @param {Record<string, unknown>} vars
 * @param {string} publicKey
 */
function describeDesk(page, vars, publicKey) {
  if (vars['DESK'] === 'off') return '';
  return `\n  Desk       ${page}/desk (key: ${publicKey || 'your MERCHANT_API_KEY'})`;
}

/** Prints what the servers of this machine write, with its colors. @param {string} text */
const printOutput = (text) => void process.stderr.write(text);

/** @typedef {{port?: string, 'sandbox-port'?: string, watch?: boolean}} Given */

/** @param {string[]} args @returns {Given} */
function readArguments(args) {
  const text = /** @type {const} */ ({type: 'string'});
  try {
    return parseArgs({args, options: {port: text, 'sandbox-port': text, watch: {type: 'boolean'}}}).values;
  } catch (error) {
    throw new UserError(
      `${error instanceof Error ? error.message : error}\n\`${shown('dev')} --help\` lists all flags.`,
    );
  }
}

/**
 * @param {string} command
 * @param {Given} given
 * @returns {Promise<[number, number]>} The ports of the Worker and of the sandbox.
 */
async function choosePorts(command, given) {
  const port = readPort(given.port, '--port') ?? portFromEnv('PORT', 5173);
  const sandboxPort = readPort(given['sandbox-port'], '--sandbox-port') ?? portFromEnv('SANDBOX_PORT', 8790);
  if (port === sandboxPort)
    throw new UserError(`PORT and SANDBOX_PORT are both ${port}: the Worker and the sandbox need different ports.`);
  await requireFreePort(port, 'PORT', command, ['SANDBOX_PORT']);
  await requireFreePort(sandboxPort, 'SANDBOX_PORT', command, ['PORT']);
  return [port, sandboxPort];
}

/** The servers of one command. If one of them ends, all end, so that the user does not work with only some of them. */
class Servers {
  areEnding = false;
  /** @type {Child[]} */
  #running = [];

  constructor() {
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
      process.on(signal, () => void this.end(0));
  }

  /** @param {string} name @param {Child} child */
  watch(name, child) {
    this.#running.push(child);
    void child.ended.then(() => {
      if (!this.areEnding) printError(`${name} has ended, so everything stops.`);
      return this.end(1);
    });
    return child;
  }

  /** @param {number} code */
  async end(code) {
    if (this.areEnding) return;
    this.areEnding = true;
    await Promise.all(this.#running.map((child) => child.end()));
    process.exit(code);
  }
}

/**
 * The offers of all variables, by name.
 * @param {Record<string, unknown>} vars
 */
const readOffersOf = (vars) =>
  Object.assign({}, ...Object.values(offerVariables(vars)).map((offers) => JSON.parse(String(offers))));

/**
 * Writes what the Worker serves: the files that are deployed, the builder, and a page with forms for the sandbox's
 * controls. Each page has the data where its script reads it.
 * @param {string} site
 * @param {{sandbox: string, key: string, offers: object}} data
 */
function writePages(site, data) {
  copySite(site);
  // `<` could end the script.
  const text = JSON.stringify(data).replaceAll('<', '\\u003c');
  for (const pages of [packagePath('dist', 'builder'), packagePath('cli', 'pages')]) {
    cpSync(pages, site, {recursive: true});
    for (const name of readdirSync(pages, {recursive: true, encoding: 'utf8'}).filter((each) => each.endsWith('.html')))
      writeFileSync(
        path.join(site, name),
        readFileSync(path.join(pages, name), 'utf8').replace('{{data}}', () => text),
      );
  }
}
