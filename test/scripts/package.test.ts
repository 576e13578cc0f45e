/** Tests of the package as `npm pack` makes it. */

import {readdirSync, readFileSync} from 'node:fs';
import {mkdir, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import {validateWorkflow} from '@action-validator/core';
import {checkPackage, createPackageFromTarballData} from '@arethetypeswrong/core';
import {publint} from 'publint';
import {beforeAll, describe, expect, test} from 'vitest';
import {PUBLIC_ELEMENTS} from '../../scripts/build/manifest.mjs';
import {repoPath, root} from '../../scripts/lib/repo.mjs';
import {makeScratchFolder} from '../../scripts/lib/scratch-folder.mjs';
import {compile, npm, runFile} from '../merchant/support/package.ts';

/** Code of a page. Each line after `@ts-expect-error` must be a type error. */
const PAGE = `
import {loadVezne, type LoadReason, type PaymentEvent, VezneLoadError} from 'vezne';
import {VezneCheckout} from 'vezne/elements/checkout';

export async function run(): Promise<LoadReason | undefined> {
  const loaded = await loadVezne('https://pay.shop.example', {elements: ['vezne-checkout'], nonce: 'n'}).catch((error: unknown) => error);
  document.addEventListener('vezne-order-code', ({orderCode: {order_code, account, seller}}) => [order_code.length, account?.iban, seller?.name]);
  document.querySelector('vezne-checkout')?.addEventListener('vezne-payment', (event: PaymentEvent) => event.payment.state === 'paid');
  document.querySelector('vezne-payment-status')!.quiet = true;
  addEventListener('vezne-error', ({code, retryable}) => code === 'offline' && retryable);
  // @ts-expect-error The data is on the event itself.
  document.addEventListener('vezne-payment', ({detail}) => detail);
  // @ts-expect-error There is no such element.
  await loadVezne('https://pay.shop.example', {elements: ['vezne-check-out']});
  class Own extends VezneCheckout {}
  document.body.append(Object.assign(new Own(), {offer: 'lamp'}));
  return loaded instanceof VezneLoadError ? loaded.reason : undefined;
}
`;

/** Code of a server that uses CommonJS. */
const COMMONJS = `
import {Vezne, type MerchantEvent, verifyWebhook, VezneError} from 'vezne/merchant';
export const vezne: Vezne = new Vezne({url: 'https://pay.shop.example', key: 'k'});
export const read = (body: string): Promise<MerchantEvent> => verifyWebhook({secret: 's', headers: {}, body});
export const codeOf = (error: VezneError) => error.code;
`;

/** The folders with the sources of each part of the package. */
const SOURCES_OF_PARTS: Readonly<Record<string, readonly string[]>> = {
  worker: ['worker'],
  sandbox: ['sandbox'],
  cli: ['worker/config'],
  site: ['widgets'],
  builder: ['demo/builder'],
  page: ['package', 'widgets'],
  relay: ['relay'],
  merchant: ['merchant'],
};
/** Packages whose code is elsewhere: Lit itself only exports other packages, and Vite only runs in the build. */
const NOT_CONTAINED = new Set(['lit', 'vite']);

/** The packages that sources import, without those of types. */
function importedPackages(folders: readonly string[], ending = '.ts'): string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(repoPath(folder), {recursive: true, encoding: 'utf8'})
      .filter((file) => file.endsWith(ending))
      .map((file) => readFileSync(repoPath(folder, file), 'utf8')),
  );
  const names = files.flatMap((text) =>
    [...text.matchAll(/^import (?!type\b)[^;]*?from '((?:@[^/']+\/)?[a-z][^:/']*)(?:\/[^']*)?';/gm)].map(
      ([, name = '']) => name,
    ),
  );
  return [...new Set(names)].filter((name) => !NOT_CONTAINED.has(name)).sort();
}

let tarball: Buffer;
/** A project that has the package. */
let project: string;
beforeAll(async () => {
  // In a run of all steps, the step `build` has built everything.
  if (!process.env['VEZNE_BUILT_SITE']) await npm(['run', 'build'], root);
  const folder = makeScratchFolder();
  const {stdout} = await npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], root);
  const [packed] = JSON.parse(stdout) as [{filename: string}];
  const file = path.join(folder, packed.filename);
  tarball = readFileSync(file);
  project = path.join(folder, 'project');
  await mkdir(path.join(project, 'node_modules'), {recursive: true});
  await writeFile(path.join(project, 'package.json'), '{"private": true}');
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', file], project);
}, 600_000);

describe('The package', () => {
  test('depends on Lit, and on what its commands import', () => {
    const {dependencies} = JSON.parse(readFileSync(repoPath('package.json'), 'utf8')) as {dependencies: object};
    expect(Object.keys(dependencies)).toEqual(['lit', ...importedPackages(['cli'], '.mjs')].sort());
  });

  test('has a package.json in which publint finds no mistake', async () => {
    const {messages} = await publint({pack: {tarball: new Uint8Array(tarball).buffer}, strict: true});
    expect(messages).toEqual([]);
  });

  test('has code and types of each element', () => {
    const files = readdirSync(path.join(project, 'node_modules', 'vezne', 'dist', 'page', 'elements'));
    for (const name of Object.keys(PUBLIC_ELEMENTS))
      expect(files).toEqual(expect.arrayContaining([`${name}.js`, `${name}.d.ts`]));
  });

  test('has true types for each way to import it', async () => {
    // One rule of `exports` has all elements, so one of them is enough.
    const types = await checkPackage(createPackageFromTarballData(tarball), {
      includeEntrypoints: ['elements/checkout'],
    });
    const problems = 'problems' in types ? types.problems : ['no types'];
    // Only the client runs in CommonJS; the rest is for bundlers and wrangler. `node10` does not read `exports`.
    const accepted = [
      {resolutionKind: 'node10'},
      {kind: 'CJSResolvesToESM', entrypoint: expect.not.stringContaining('merchant')},
    ];
    for (const problem of problems)
      expect(accepted.map((each) => expect.objectContaining(each))).toContainEqual(problem);
  });

  test('has the licence notice of every package that its sources import, beside the code that contains it', () => {
    const packed = path.join(project, 'node_modules', 'vezne', 'dist');
    for (const [part, sources] of Object.entries(SOURCES_OF_PARTS)) {
      const folder = path.join(packed, part);
      const file = readdirSync(folder, {recursive: true, encoding: 'utf8'}).find((each) =>
        each.endsWith('licences.txt'),
      );
      const notices = file ? readFileSync(path.join(folder, file), 'utf8') : '';
      const noticed = [...notices.matchAll(/^(\S+) \S+ \(\S+\)$/gm)].map(([, name]) => name);
      expect(noticed, part).toEqual(expect.arrayContaining([...importedPackages(sources)]));
      expect(notices.match(/Permission is hereby granted|Redistribution and use/g) ?? [], part).toHaveLength(
        noticed.length,
      );
    }
  });

  test('does nothing when a server imports it', async () => {
    await writeFile(
      path.join(project, 'server.mjs'),
      `import {loadVezne} from 'vezne'; import * as elements from 'vezne/elements'; import 'vezne/react'; import 'vezne/vue';
console.log(await loadVezne('https://pay.shop.example'), Object.keys(elements).length);`,
    );
    expect(await runFile(project, 'server.mjs')).toBe('null 12');
    // As on a Worker.
    expect(await runFile(project, 'server.mjs', {NODE_OPTIONS: '--conditions=workerd'})).toBe('null 12');
  });

  test('has the types of elements and events for a page', async () => {
    await writeFile(path.join(project, 'page.ts'), PAGE);
    const options = {lib: ['es2022', 'dom', 'dom.iterable'], types: [], module: 'esnext', moduleResolution: 'bundler'};
    expect(await compile(project, options, [])).toBe('');
    await rm(path.join(project, 'page.ts'));
  });

  test('has a client for CommonJS, also in TypeScript', async () => {
    await writeFile(path.join(project, 'server.ts'), COMMONJS);
    expect(await compile(project, {lib: ['es2022'], types: [], module: 'node16', noEmit: false}, [])).toBe('');
    expect(await runFile(project, 'server.js')).toBe('');
  });
});

test('the workflow that publishes the package is valid, and runs only actions of a fixed commit', () => {
  const text = readFileSync(repoPath('.github', 'workflows', 'release.yml'), 'utf8');
  expect(validateWorkflow(text).errors).toEqual([]);
  expect(text.match(/uses: (?!.*@[0-9a-f]{40} )/g)).toBeNull();
  expect(validateWorkflow(text.replace('runs-on', 'run-on')).errors).not.toEqual([]);
});
