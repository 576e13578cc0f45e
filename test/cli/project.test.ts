/** A shop's project with the packed package: what its commands send to Cloudflare's API, which is a stub. */

import {execFile} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import path from 'node:path';
import process from 'node:process';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {repoPath, root, version} from '../../scripts/lib/repo.mjs';
import {makeScratchFolder} from '../../scripts/lib/scratch-folder.mjs';
import {npm} from '../merchant/support/package.ts';
import {declaredClasses} from '../support/declared-classes.ts';
import {startCloudflare} from './support/cloudflare.mjs';

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

/** Runs `npx vezne …` in the project. */
async function vezne(...args: string[]): Promise<{code: unknown; printed: string}> {
  const env = {
    ...process.env,
    ...cloudflare.env,
    // The address of the deployed Worker leads to this machine.
    NODE_OPTIONS: `--import ${path.join(scratch, 'redirect.mjs')}`,
    VEZNE_CONFIG: '',
    npm_config_prefer_offline: 'true',
    WRANGLER_LOG_PATH: path.join(scratch, 'logs'),
  };
  const command = [path.join(installed, 'cli', 'vezne.cjs'), ...args];
  return run(process.execPath, command, {cwd: project, env}).then(
    ({stdout, stderr}) => ({code: 0, printed: stdout + stderr}),
    (error: {code: unknown; stdout: string; stderr: string}) => ({
      code: error.code,
      printed: error.stdout + error.stderr,
    }),
  );
}

/** Packs a later version, with a section in its CHANGELOG.md. */
async function packNext(next: string, stores: string): Promise<string> {
  const folder = path.join(scratch, `next-${next}`);
  cpSync(unpacked, folder, {recursive: true});
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as object;
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({...manifest, version: next, scripts: {}}));
  const changes = readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8');
  const section = `## ${next} (2026-12-01)\n\nStores: ${stores}\n\nWhat ${next} has.\n\n`;
  writeFileSync(path.join(folder, 'CHANGELOG.md'), changes.replace(/^(?=## )/m, section));
  await npm(['pack', '--ignore-scripts', '--pack-destination', scratch], folder);
  return path.join(scratch, `vezne-${next}.tgz`);
}

beforeAll(async () => {
  // In a run of all steps, the step `build` has built everything.
  if (!process.env['VEZNE_BUILT_SITE']) await npm(['run', 'build'], root);
  await npm(['pack', '--ignore-scripts', '--pack-destination', scratch], root);
  mkdirSync(unpacked, {recursive: true});
  await run('tar', ['xzf', path.join(scratch, `vezne-${version}.tgz`), '--strip-components=1', '-C', unpacked]);
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
    symlinkSync(repoPath('node_modules', 'wrangler'), path.join(project, 'node_modules', 'wrangler'));
  });

  test('is not deployed until it has the settings and secrets of the platform, and nothing is sent before', async () => {
    const {code, printed} = await vezne('deploy');
    expect({code, printed}).toMatchObject({
      code: 1,
      printed: expect.stringContaining('MERCHANT_KEY: This secret is missing.') as string,
    });
    expect(printed).toContain('Correct vezne.toml and .dev.vars (docs/deploy.md).');
    expect(cloudflare.calls).toEqual([]);
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

  test('refuses to go back without an earlier deployment, and goes back to it if no store has changed', async () => {
    expect((await vezne('rollback', '--yes')).printed).toContain('There is no earlier deployment to go back to.');
    await vezne('deploy');
    const {code, printed} = await vezne('rollback', '--yes');
    expect({code, printed}).toMatchObject({code: 0});
    const [first, second] = cloudflare.versions.map(({id}) => id);
    expect(cloudflare.deployed).toEqual([first, second, first]);
  });

  test('is updated by one command, which says what changes, checks first, and never goes back over changed stores', async () => {
    const next = await packNext('90.0.0', 'Order has a further step.');
    const asked = await vezne('update', next);
    expect(asked.printed).toContain('What 90.0.0 has.');
    expect(asked.printed).toContain(`Stores change in 90.0.0: after this you cannot go back to ${version}.`);
    expect(asked).toMatchObject({
      code: 1,
      printed: expect.stringContaining('Nothing has changed. With --yes') as string,
    });
    expect(dependency()).toBe(version);

    const {code, printed} = await vezne('update', next, '--yes');
    expect({code, printed}).toMatchObject({
      code: 0,
      printed: expect.stringContaining('The set-up is correct.') as string,
    });
    expect(dependency()).toContain('vezne-90.0.0.tgz');
    expect(cloudflare.versions.at(-1)?.tag).toBe('vezne-90.0.0');

    const back = await vezne('rollback', '--yes');
    expect(back.code).toBe(1);
    expect(back.printed).toContain(
      `Vezne cannot go back from 90.0.0 to ${version}, because stores have changed:\n  90.0.0: Order has`,
    );
    expect(cloudflare.deployed.at(-1)).toBe(cloudflare.versions.at(-1)?.id);
  });
});
