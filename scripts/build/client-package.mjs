// @ts-check
// Builds `vezne/merchant` as a merchant installs it: one module, which has no dependencies, and its type declarations.

import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {build} from 'vite';
import {startNode} from '../../cli/child-process.mjs';
import {repoPath, UserError, root, tools} from '../lib/repo.mjs';
import {writeClientSources} from './client-source.mjs';
import {licences} from './licences.mjs';

const source = repoPath('merchant');

/**
 * @param {string} [out] - The output folder, emptied first. The default, `dist/merchant`, is the one in package.json.
 */
export async function buildClient(out = repoPath('dist', 'merchant')) {
  await writeClientSources();
  await bundle(out);
  await emitDeclarations(source, out);
  writeFileSync(path.join(out, 'index.d.cts'), commonJsTypes(readFileSync(path.join(out, 'index.d.ts'), 'utf8')));
}

/**
 * Writes the declarations of an entry of the package, `index.ts`, and of what it exports.
 * @param {string} folder - The folder of the entry.
 * @param {string} out
 */
export async function emitDeclarations(folder, out) {
  const emitted = mkdtempSync(path.join(tmpdir(), 'vezne-types-'));
  try {
    const tsc = startNode(tools.tsc, ['-p', path.join(folder, 'tsconfig.build.json'), '--outDir', emitted]);
    if ((await tsc.ended) !== 0) throw new UserError(`Type declarations could not be built:\n${tsc.output()}`);
    copyDeclarations(emitted, out, 'index.d.ts');
  } finally {
    rmSync(emitted, {recursive: true, force: true});
  }
}

/**
 * The types for CommonJS: those of the module. TypeScript would otherwise refuse to `require` them.
 * @param {string} types
 */
function commonJsTypes(types) {
  const exported = [...types.matchAll(/^export \{(.*)\} from/gm)].flatMap(([, names = '']) => names.split(','));
  const values = exported.map((name) => name.trim()).filter((name) => !name.startsWith('type '));
  const module = "import('./index.js', {with: {'resolution-mode': 'import'}})";
  return [
    "export type * from './index.js' with {'resolution-mode': 'import'};",
    ...values.map((name) => `export declare const ${name}: typeof ${module}.${name};`),
    ...values.filter((name) => /^[A-Z]/.test(name)).map((name) => `export type ${name} = ${module}.${name};`),
    '',
  ].join('\n');
}

/** @param {string} out */
const bundle = (out) =>
  build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [licences()],
    build: {
      outDir: out,
      emptyOutDir: true,
      target: 'es2022',
      lib: {
        entry: path.join(source, 'index.ts'),
        formats: ['es', 'cjs'],
        fileName: (format) => (format === 'es' ? 'index.js' : 'index.cjs'),
      },
      rolldownOptions: {
        // Classes keep their names because merchants see them in stack traces and inspected objects.
        output: {
          comments: false,
          keepNames: true,
          minify: {compress: {keepNames: {function: true, class: true}}, mangle: {keepNames: true}, codegen: false},
        },
      },
    },
  });

/**
 * Copies a declaration file and the files it imports. Declarations that the public types do not use are left out.
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
