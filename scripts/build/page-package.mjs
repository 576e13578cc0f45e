// @ts-check
// Builds what a page imports from the package, into dist/page: `vezne`, `vezne/elements`, the types for frameworks and
// the manifest. The elements import Lit, which the page's bundler adds.

import {appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {build} from 'vite';
import {repoPath, root} from '../lib/repo.mjs';
import {emitDeclarations} from './client-package.mjs';
import {writeIfChanged} from './client-source.mjs';
import {eventDataTypes} from './contract-types.mjs';
import {elementTypes, moduleSource, moduleTypes} from './element-types.mjs';
import {licences} from './licences.mjs';
import {minifyLiterals} from './lit.ts';
import {manifestText, nameOf, PUBLIC_ELEMENTS, publicElements} from './manifest.mjs';

const source = repoPath('package');
const modules = repoPath('.cache', 'elements');
const names = Object.keys(PUBLIC_ELEMENTS);

/** @typedef {import('./manifest.mjs').Element} Element */

/** Writes the generated types, which git ignores. */
export async function writePageSources() {
  const elements = publicElements();
  const folder = path.join(source, 'generated');
  mkdirSync(folder, {recursive: true});
  writeIfChanged(path.join(folder, 'data.ts'), await eventDataTypes());
  writeIfChanged(path.join(folder, 'elements.ts'), elementTypes(elements));
  return elements;
}

/** @param {string} [out] - The output folder, emptied first. */
export async function buildPagePackage(out = repoPath('dist', 'page')) {
  const elements = await writePageSources();
  writeModules(elements);
  await bundle(out);
  await emitDeclarations(source, out);
  const write = (/** @type {string} */ file, /** @type {string} */ text) => writeFileSync(path.join(out, file), text);
  for (const file of ['globals.d.ts', 'react.d.ts', 'vue.d.ts']) cpSync(path.join(source, file), path.join(out, file));
  for (const framework of ['react', 'vue']) write(`${framework}.js`, 'export {};\n');
  for (const element of elements) write(`elements/${nameOf(element)}.d.ts`, moduleTypes(element));
  write('elements/index.d.ts', allElements('.js'));
  // A server has no `HTMLElement`.
  write('elements/server.js', elements.map(({name}) => `export class ${name} {}\n`).join(''));
  write('custom-elements.json', manifestText(elements));
  appendFileSync(path.join(out, 'index.d.ts'), "import type {} from './globals.js';\n");
}

/** The module that defines all elements. @param {'.ts' | '.js'} extension */
const allElements = (extension) => names.map((name) => `export * from './${name}${extension}';\n`).join('');

/** Writes the modules of `vezne/elements`, each of which defines one element. @param {readonly Element[]} elements */
function writeModules(elements) {
  const files = readdirSync(repoPath('widgets'), {recursive: true, encoding: 'utf8'});
  mkdirSync(modules, {recursive: true});
  writeIfChanged(path.join(modules, 'index.ts'), allElements('.ts'));
  for (const element of elements) {
    const file = files.find((each) => path.basename(each) === `${element.tagName}.ts`);
    const text = readFileSync(repoPath('widgets', file ?? ''), 'utf8');
    writeIfChanged(path.join(modules, `${nameOf(element)}.ts`), moduleSource(element, `/widgets/${file}`, text));
  }
}

/** @param {string} out */
const bundle = (out) =>
  build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [minifyLiterals(), licences()],
    build: {
      outDir: out,
      emptyOutDir: true,
      target: 'es2022',
      minify: false,
      lib: {
        entry: {
          index: path.join(source, 'index.ts'),
          ...Object.fromEntries(
            ['index', ...names].map((name) => [`elements/${name}`, path.join(modules, `${name}.ts`)]),
          ),
        },
        formats: ['es'],
        fileName: (_format, name) => `${name}.js`,
      },
      rolldownOptions: {
        external: /^lit(?:\/|$)/,
        // Without indentation; names stay, for messages and tests of a merchant's page.
        output: {
          comments: false,
          minify: {compress: false, mangle: false, codegen: true},
          chunkFileNames: 'elements/parts/[name]-[hash].js',
        },
        checks: {ineffectiveDynamicImport: false},
      },
    },
  });
