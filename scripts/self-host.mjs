// @ts-check
// `npm run self-host`: an experiment. Builds the Worker and runs it on plain workerd, with its state in a folder of this machine and its secrets from
// a file of variables. docs/self-hosting.md says what is missing against the edge.

import {copyFileSync, existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {parseArgs, parseEnv} from 'node:util';
import {install} from './lib/install.mjs';
import {portFrom, requireFreePort} from './lib/ports.mjs';
import {inHouse, Refusal, tools} from './lib/repo.mjs';

const {values: options} = parseArgs({
  args: process.argv.slice(3),
  options: {env: {type: 'string', default: 'self-host.env'}, built: {type: 'boolean', default: false}},
});
const port = portFrom('PORT', 8787);
const host = process.env['HOST'] ?? '127.0.0.1';
const state = path.resolve(process.env['SELF_HOST_STATE'] ?? inHouse('self-host-state'));
const file = path.resolve(options.env);
if (!existsSync(file))
  throw new Refusal(
    `${options.env} is missing: it holds the secrets, one NAME=value a line. docs/self-hosting.md says which.`,
  );
const environment = /** @type {Record<string, string>} */ (parseEnv(readFileSync(file, 'utf8')));

await requireFreePort(port, 'PORT', 'npm run self-host');
install();

const {start} = await import('./lib/child-process.mjs');
const {buildKit} = await import('./build/site.mjs');
const {quiet, untilAnswering} = await import('./lib/stack.mjs');

const home = inHouse('.cache', 'self-host', String(port));
const site = path.join(home, 'site');
mkdirSync(state, {recursive: true, mode: 0o700});
if (!options.built) await build();

/** Everything that runs: the kit, the Worker, and what stands around it. */
async function build() {
  console.log('Building …');
  rmSync(home, {recursive: true, force: true});
  mkdirSync(home, {recursive: true});
  await buildKit(site);
  const bundled = start(
    tools.wrangler,
    ['deploy', '--dry-run', '--minify', '--config=wrangler.toml', `--outdir=${home}`],
    {env: quiet},
  );
  if ((await bundled.ended) !== 0) throw new Refusal(`The Worker cannot be built:\n${bundled.output()}`);
  for (const module of ['front.js', 'rate-limit.js', 'no-cache.js'])
    copyFileSync(inHouse('self-host', module), path.join(home, module));
}

if (!existsSync(path.join(home, 'index.js')))
  throw new Refusal('Nothing is built for this port yet: leave --built away once.');
const configure = start(
  inHouse('scripts', 'parts', 'write-self-host.mjs'),
  [JSON.stringify({home, site, state, host, port, names: Object.keys(environment)})],
  {env: environment},
);
if ((await configure.ended) !== 0)
  throw new Refusal(`The configuration of workerd cannot be written:\n${configure.output()}`);

const server = start(inHouse('scripts', 'parts', 'run-workerd.mjs'), [path.join(home, 'config.capnp')], {
  env: environment,
  onOutput: (text) => void process.stdout.write(text),
});
let ending = false;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, () => {
    ending = true;
    void server.end().then(() => process.exit(0));
  });
}
void server.ended.then((code) => !ending && process.exit(code || 1));

const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
await untilAnswering(server, 'workerd', `${address}/health`);
const {status, bindings, problems} = /** @type {{status: string, bindings: string[], problems: string[]}} */ (
  await (await fetch(`${address}/health`)).json()
);
console.log(
  `\n  The Worker  ${address}  (${[status, ...bindings, ...problems].join(' · ')})\n  Its state   ${state}\n\n  An experiment: docs/self-hosting.md. Ctrl-C ends it.\n`,
);
