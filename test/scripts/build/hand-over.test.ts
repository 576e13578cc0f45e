/** A page script hands its variables to its later files. */

import {mkdtempSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {build, type Rolldown} from 'vite';
import {afterAll, afterEach, expect, test, vi} from 'vitest';
import {handOver} from '../../../scripts/build/hand-over.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'vezne-hand-over-'));
afterAll(() => rmSync(folder, {recursive: true}));

const SCRIPT = Symbol.for('vezne');
const page = globalThis as {[SCRIPT]?: {readonly scripts: Map<string, unknown>}; results?: unknown[]};
afterEach(() => {
  delete page[SCRIPT];
  delete page.results;
});

/** A script with variables that its later files use. `last` and `late` are one file, so the bundler needs its helper. */
const MODULES: Readonly<Record<string, string>> = {
  script: `import {add, Counter} from 'shared'; globalThis.results = [add(1, 2), Counter.name.length > 0];
    globalThis.results.push(import('late'));`,
  shared: 'export const add = (a, b) => a + b; export class Counter { value = 0; } export default () => "shared";',
  late: `import {add, Counter} from 'shared'; import name from 'shared'; import 'last'; export const late = [add(3, 4), new Counter().value, name()];
    export const last = () => import('last');`,
  last: `import {add} from 'shared'; export const last = add(5, 6);`,
};

/** Builds modules, and writes them into a folder of their own. @returns the path of the script. */
async function buildScript(modules: Readonly<Record<string, string>>, digest = 'digest'): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'silent',
    plugins: [
      // Vite makes a path of the entry.
      {name: 'modules', enforce: 'pre', resolveId: (id) => path.basename(id), load: (id) => modules[id]},
    ],
    build: {
      write: false,
      lib: {entry: 'script', formats: ['es'], fileName: () => 'script.js'},
      rolldownOptions: {
        preserveEntrySignatures: 'allow-extension',
        output: {
          minify: true,
          chunkFileNames: 'later/[name].js',
          codeSplitting: {
            groups: [
              {name: 'script', tags: ['$initial']},
              {name: 'late', test: (id) => id === 'late'},
            ],
          },
          plugins: [handOver({name: 'script', digest, warns: true})],
        },
      },
    },
  });
  const to = mkdtempSync(path.join(folder, 'script-'));
  mkdirSync(path.join(to, 'later'));
  writeFileSync(path.join(to, 'package.json'), '{"type": "module"}');
  for (const {output} of [built].flat() as Rolldown.RolldownOutput[])
    for (const file of output) if (file.type === 'chunk') writeFileSync(path.join(to, file.fileName), file.code);
  return path.join(to, 'script.js');
}

/** Runs a script. @returns what it and its later file have computed. */
async function run(file: string): Promise<unknown> {
  await import(/* @vite-ignore */ file);
  const [sum, hasClass, later] = page.results ?? [];
  const {late, last} = (await later) as {late: unknown; last: () => Promise<{last: number}>};
  return {sum, hasClass, late, last: (await last()).last};
}

test('a later file has the variables of its script, and imports no other file', async () => {
  const file = await buildScript(MODULES);
  expect(await run(file)).toEqual({sum: 3, hasClass: true, late: [7, 0, 'shared'], last: 11});
});

test('a later file reads the script of its own build', async () => {
  const first = await buildScript(MODULES, 'first');
  const other = {...MODULES, shared: `export const other = 1; ${MODULES['shared']?.replace('a + b', 'a * b')}`};
  const second = await buildScript(other, 'second');
  expect(await run(first)).toMatchObject({late: [7, 0, 'shared']});
  expect(await run(second)).toMatchObject({late: [12, 0, 'shared']});
});

test('a second script does nothing, and says so', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  page[SCRIPT] = {scripts: new Map([['script', undefined]])};
  await import(/* @vite-ignore */ await buildScript(MODULES));
  expect(page.results).toBeUndefined();
  expect(warn.mock.calls).toEqual([['Vezne: second script.js']]);
});

test('a build fails if a later file would import the script', async () => {
  await expect(buildScript({...MODULES, last: `export const last = import('shared');`})).rejects.toThrow(
    /imports script\.js/,
  );
});
