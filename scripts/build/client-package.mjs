// @ts-check
// Builds `vezne/merchant` as a merchant installs it: one module that needs nothing, and types that need nothing either.

import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {build} from 'vite';
import {startNode} from '../lib/child-process.mjs';
import {repoPath, UserError, root, tools} from '../lib/repo.mjs';
import {writeContractTypes} from './contract-types.mjs';

const source = repoPath('merchant');

/** @param {string} [out] `dist/merchant` by default, which package.json names; emptied first. */
export async function buildClient(out = repoPath('dist', 'merchant')) {
  await bundle(out);
  const emitted = mkdtempSync(path.join(tmpdir(), 'vezne-types-'));
  try {
    const tsc = startNode(tools.tsc, ['-p', path.join(source, 'tsconfig.build.json'), '--outDir', emitted]);
    if ((await tsc.ended) !== 0)
      throw new UserError(`The types of vezne/merchant could not be written:\n${tsc.output()}`);
    const declarations = path.join(emitted, 'merchant');
    writeFileSync(path.join(declarations, 'contract.d.ts'), writeContractTypes());
    copyDeclarations(declarations, out, 'index.d.ts');
  } finally {
    rmSync(emitted, {recursive: true, force: true});
  }
}

/** @param {string} out */
const bundle = (out) =>
  build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: out,
      emptyOutDir: true,
      target: 'es2022',
      sourcemap: true,
      lib: {entry: path.join(source, 'index.ts'), formats: ['es'], fileName: () => 'index.js'},
      rolldownOptions: {
        // Classes keep their names: a merchant reads them in traces and in what is inspected.
        output: {
          comments: false,
          keepNames: true,
          minify: {compress: {keepNames: {function: true, class: true}}, mangle: {keepNames: true}, codegen: false},
        },
      },
    },
  });

/**
 * Copies a module's types and those they are made of; what is behind the scenes stays there.
 * @param {string} from
 * @param {string} to
 * @param {string} file
 * @param {Set<string>} [copied]
 */
function copyDeclarations(from, to, file, copied = new Set()) {
  if (copied.has(file)) return;
  copied.add(file);
  const text = readFileSync(path.join(from, file), 'utf8');
  for (const [, specifier = ''] of text.matchAll(/from '(\.[^']+)\.ts'/g)) {
    copyDeclarations(from, to, path.join(path.dirname(file), `${specifier}.d.ts`), copied);
  }
  const target = path.join(to, file);
  mkdirSync(path.dirname(target), {recursive: true});
  writeFileSync(target, text.replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'"));
}
