/** A shop's project with the packed package: what its commands send to Cloudflare's API, which is a stub. */

import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import path from 'node:path';
import process from 'node:process';
import {setTimeout as wait} from 'node:timers/promises';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {repoPath, root, version} from '../../scripts/lib/repo.mjs';
import {makeScratchFolder} from '../../scripts/lib/scratch-folder.mjs';
import {npm} from '../merchant/support/package.ts';
import {declaredClasses} from '../support/declared-classes.ts';
import {startCloudflare} from './support/cloudflare.mjs';
import {INSTALLED, writeWrangler} from './support/wrangler.mjs';

const run = promisify(execFile);
const scratch = makeScratchFolder();
const unpacked = path.join(scratch, 'node_modules', 'vezne');
const project = path.join(scratch, 'shop');
const installed = path.join(project, 'node_modules', 'vezne');
let cloudflare: Awaited<ReturnType<typeof startCloudflare>>;
/** Answers for the deployed Worker. */
const worker = createServer((request, response) => {
  const isAllowed = request.headers.authorization === `Bearer ${secretOf('MERCHANT_API_KEY')}`;
  const checks = [{name: 'token', state: 'ok', message: 'Fine.', action: null}];
  response.writeHead(request.url === '/merchant/v1/doctor' && !isAllowed ? 401 : 200);
  response.end(JSON.stringify({healthy: true, checks, current: version, releases: []}));
});

const secretOf = (name: string) =>
  new RegExp(`^${name}='(.*)'$`, 'm').exec(readFileSync(path.join(project, '.dev.vars'), 'utf8'))?.[1];
const edit = (file: string, change: (text: string) => string) => {
  const target = path.join(project, file);
  writeFileSync(target, change(readFileSync(target, 'utf8')));
};
const dependency = () =>
  (JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as {dependencies: {vezne: string}}).dependencies
    .vezne;

const lookUps = () => cloudflare.calls.filter((call) => call.startsWith('GET /workers/services')).length;
const environment = () => ({
  ...process.env,
  ...cloudflare.env,
  // The address of the deployed Worker leads to this machine.
  NODE_OPTIONS: `--import ${path.join(scratch, 'redirect.mjs')}`,
  VEZNE_CONFIG: '',
  // wrangler starts often.
  NODE_COMPILE_CACHE: repoPath('.cache', 'node'),
  npm_config_prefer_offline: 'true',
  WRANGLER_LOG_PATH: path.join(scratch, 'logs'),
});

/** Runs `npx vezne …` in the project. */
const vezne = (...args: string[]) => node(path.join(installed, 'cli', 'vezne.cjs'), ...args);

/** Runs Node in the project. */
async function node(...args: string[]): Promise<{code: unknown; printed: string}> {
  return run(process.execPath, args, {cwd: project, env: environment()}).then(
    ({stdout, stderr}) => ({code: 0, printed: stdout + stderr}),
    (error: {code: unknown; stdout: string; stderr: string}) => ({
      code: error.code,
      printed: error.stdout + error.stderr,
    }),
  );
}

/** What a list of wrangler answers, and what the project's wrangler answers instead. */
async function list(...args: string[]) {
  const own = path.join(project, 'node_modules', 'wrangler', 'lib', 'cli.js');
  const answers = await Promise.all(
    [INSTALLED, own].map((file) => node('--no-warnings', file, ...args, '--json', '--name', 'shop')),
  );
  return answers.map(({code, printed}) => ({
    code,
    answer: code === 0 ? (JSON.parse(printed) as unknown) : /\[code: \d+\]/.exec(printed)?.[0],
  }));
}

/** Packs a later version, with a section in its CHANGELOG.md, and a later wrangler. */
async function packNext(next: string, stores: string): Promise<string> {
  const folder = path.join(scratch, next, 'package');
  const later = writeWrangler(path.join(scratch, 'wrangler-next'), '99.0.0');
  cpSync(unpacked, folder, {recursive: true});
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as object;
  const changed = {...manifest, version: next, scripts: {}, devDependencies: {wrangler: `file:${later}`}};
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(changed));
  const changes = readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8');
  const section = `## ${next} (2026-12-01)\n\nStores: ${stores}\n\nWhat ${next} has.\n\n`;
  writeFileSync(path.join(folder, 'CHANGELOG.md'), changes.replace(/^(?=## )/m, section));
  const tarball = path.join(scratch, `vezne-${next}.tgz`);
  await run('tar', ['czf', tarball, '-C', path.dirname(folder), 'package']);
  return tarball;
}

beforeAll(async () => {
  // In a run of all steps, the step `build` has built everything.
  if (!process.env['VEZNE_BUILT_SITE']) await npm(['run', 'build'], root);
  await npm(['pack', '--ignore-scripts', '--pack-destination', scratch], root);
  mkdirSync(unpacked, {recursive: true});
  await run('tar', ['xzf', path.join(scratch, `vezne-${version}.tgz`), '--strip-components=1', '-C', unpacked]);
  const {dependencies} = JSON.parse(readFileSync(repoPath('package.json'), 'utf8')) as {dependencies: object};
  for (const name of Object.keys(dependencies))
    cpSync(repoPath('node_modules', name), path.join(scratch, 'node_modules', name), {recursive: true});
  cloudflare = await startCloudflare();
  await once(worker.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(worker.address() as AddressInfo).port}`;
  writeFileSync(
    path.join(scratch, 'redirect.mjs'),
    `const real = fetch; globalThis.fetch = (url, ...more) => real(String(url).replace('https://shop.stub.workers.dev', '${address}'), ...more);`,
  );
}, 300_000);
afterAll(() => {
  cloudflare.close();
  worker.close();
});

describe('A shop’s project', () => {
  test('is made by create-vezne without a question, and a folder that is not empty is refused', async () => {
    const create = path.join(scratch, 'node_modules', 'create-vezne');
    cpSync(repoPath('create'), create, {recursive: true});
    const call = (...args: string[]) =>
      run(process.execPath, [path.join(create, 'index.mjs'), ...args, '--sandbox'], {cwd: scratch});
    expect((await call('shop')).stdout).toBe(
      'Wrote shop/vezne.toml, shop/.dev.vars, shop/package.json, shop/.gitignore. Next:\n  cd shop\n  npm install\n  npx vezne dev\n',
    );
    await expect(call('shop')).rejects.toThrow('The folder shop is not empty');
    const wrong = call('other', '--amount', '1,5', '--offer', 'a b');
    await expect(wrong).rejects.toThrow(/--offer: Expected 1 to 64 letters[^]*--amount: Expected decimal text/);
    cpSync(unpacked, installed, {recursive: true});
    writeWrangler(path.join(project, 'node_modules', 'wrangler'));
  });

  test('is not deployed until it has the settings and secrets of the platform, and nothing is sent before', async () => {
    const {code, printed} = await vezne('deploy');
    expect({code, printed}).toMatchObject({
      code: 1,
      printed: expect.stringContaining('MERCHANT_KEY: This secret is missing.') as string,
    });
    expect(printed).toContain('Correct vezne.toml and .dev.vars (docs/deploy.md).');
    expect(cloudflare.calls).toEqual([]);
    const [real, own] = await list('deployments', 'list');
    expect(own).toEqual({code: 1, answer: '[code: 10007]'});
    expect(real).toEqual(own);
  });

  test('is deployed with its secrets by one command, which examines the Worker and prints the tags of a page', async () => {
    edit('vezne.toml', (text) =>
      text.replaceAll(/^# (?=PHS_URL|MERCHANT)/gm, '').replace('http://localhost:8000', 'https://shop.example'),
    );
    edit('.dev.vars', (text) => text.replace("MERCHANT_KEY=''", "MERCHANT_KEY='the-$KEY-of-the-platform'"));
    const {code, printed} = await vezne('deploy');
    expect({code, printed}).toMatchObject({
      code: 0,
      printed: expect.stringContaining('The set-up is correct.') as string,
    });
    expect(printed).toMatch(
      /<script type="module" src="https:\/\/shop\.stub\.workers\.dev\/vezne\/[\d.]+\/checkout\.js" integrity="sha384-[^"]+" crossorigin><\/script>\n {2}<vezne-checkout offer="lamp"><\/vezne-checkout>/,
    );
    expect(printed).not.toContain(String(secretOf('SESSION_SECRET')));
    const [deployed] = cloudflare.versions;
    expect(deployed?.tag).toBe(`vezne-${version}`);
    expect(deployed?.exports).toEqual(declaredClasses('wrangler.toml'));
    expect(deployed?.bindings).toEqual(
      expect.arrayContaining([
        {name: 'MERCHANT_KEY', type: 'secret_text', text: 'the-$KEY-of-the-platform'},
        {name: 'SESSION_SECRET', type: 'secret_text', text: secretOf('SESSION_SECRET')},
        {name: 'PHS_URL', type: 'plain_text', text: 'https://platform.example/phs'},
      ]),
    );
  });

  test('goes back to the earlier deployment', async () => {
    cloudflare.deployAgain();
    for (const what of ['deployments', 'versions']) {
      const [real, own] = await list(what, 'list');
      expect(own).toMatchObject({code: 0, answer: [{}, {}]});
      expect(real).toEqual(own);
    }
    const {code, printed} = await vezne('rollback', '--yes');
    expect({code, printed}).toMatchObject({
      code: 0,
      printed: expect.stringContaining('A secret that has changed since gets its old value.') as string,
    });
    const [first, second] = cloudflare.versions.map(({id}) => id);
    expect(cloudflare.deployed).toEqual([first, second, first]);
  });

  test('leaves no copy of its secrets when Ctrl-C ends a deployment', async () => {
    const copy = path.join(project, '.wrangler', 'vezne', 'secrets.json');
    // What a deployment and a `vezne dev` left that were killed, with the mode of a restored backup.
    const left = path.join(project, '.wrangler', 'vezne', 'dev-1-2', '.dev.vars');
    mkdirSync(path.dirname(left), {recursive: true});
    for (const file of [copy, left]) writeFileSync(file, 'A=1', {mode: 0o644});
    const command = [path.join(installed, 'cli', 'vezne.cjs'), 'deploy', '--allow-older'];
    // In a process group of its own, as a terminal starts it.
    const child = spawn(process.execPath, command, {cwd: project, env: environment(), detached: true, stdio: 'ignore'});
    const ended = once(child, 'exit');
    const before = lookUps();
    while (lookUps() === before && child.exitCode === null) await wait(5);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(existsSync(left)).toBe(false);
    process.kill(-Number(child.pid), 'SIGINT');
    expect(await ended).toEqual([1, null]);
    expect(existsSync(copy)).toBe(false);
  });

  test('is updated by one command, which says what changes, and first checks the settings with the wrangler of the new version', async () => {
    edit('.dev.vars', (text) => text.replace("-of-the-platform'", "-after-a-leak'"));
    const next = await packNext('90.0.0', 'unchanged.');
    const {code, printed} = await vezne('update', next, '--yes');
    expect({code, printed}).toMatchObject({code: 0});
    expect(printed).toMatch(
      /What 90\.0\.0 has\.[^]*No store changes[^]*wrangler 99 deploy .*--dry-run[^]*wrangler 99 deploy (?!.*--dry-run)[^]*The set-up is correct\./,
    );
    expect(dependency()).toContain('vezne-90.0.0.tgz');
    expect(cloudflare.versions.at(-1)?.tag).toBe('vezne-90.0.0');
  });

  test('goes back over changed secrets only if a person agrees to the old values', async () => {
    const script = `import {activate} from './node_modules/vezne/cli/update.mjs';
      await activate('${cloudflare.versions[0]?.id}', 'back', true).catch(({message}) => console.log(message));`;
    const {printed} = await node('--input-type=module', '--eval', script);
    expect(printed).toBe(
      'These secrets have changed since, and would get their old values: MERCHANT_KEY\n' +
        'Nothing has changed. --yes does not allow this; in a terminal, without it, the command asks.\n',
    );
    expect(cloudflare.deployed.at(-1)).toBe(cloudflare.versions.at(-1)?.id);
  });

  test('never deploys an older release than the deployed one', async () => {
    // A colleague has deployed 90.0.0; this project has not installed it.
    rmSync(installed, {recursive: true, force: true});
    cpSync(unpacked, installed, {recursive: true});
    const count = cloudflare.deployed.length;
    const {code, printed} = await vezne('deploy');
    expect(code).toBe(1);
    expect(printed).toContain(`Not deployed: release 90.0.0 is deployed, and this is ${version}`);
    expect(cloudflare.deployed).toHaveLength(count);
  });
});
