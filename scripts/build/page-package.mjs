// @ts-check
// Builds what a page imports from the package, into dist/page: `vezne`, `vezne/elements`, the types for frameworks and
// the manifest. The elements import Lit, which the page's bundler adds.

import {appendFileSync, cpSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {build} from 'vite';
import {repoPath, root} from '../lib/repo.mjs';
import {emitDeclarations} from './client-package.mjs';
import {writeIfChanged} from './client-source.mjs';
import {eventDataTypes} from './contract-types.mjs';
import {elementTypes, moduleSource, moduleTypes} from './element-types.mjs';
import {minifyLiterals} from './lit.ts';
import {manifestText, PUBLIC_ELEMENTS, publicElements} from './manifest.mjs';

const source = repoPath('package');
const names = Object.keys(PUBLIC_ELEMENTS);

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
  await bundle(out);
  await emitDeclarations(source, out);
  const write = (/** @type {string} */ file, /** @type {string} */ text) => writeFileSync(path.join(out, file), text);
  for (const file of ['globals.d.ts', 'react.d.ts', 'vue.d.ts']) cpSync(path.join(source, file), path.join(out, file));
  for (const framework of ['react', 'vue']) write(`${framework}.js`, 'export {};\n');
  for (const [index, name] of names.entries())
    write(`elements/${name}.d.ts`, moduleTypes(/** @type {import('./manifest.mjs').Element} */ (elements[index])));
  write('elements/index.d.ts', allElements('.js'));
  // Lit brings its own `HTMLElement` to Node, and to no other server.
  write('elements/server.js', elements.map(({name}) => `export class ${name} {}\n`).join(''));
  write('custom-elements.json', manifestText(elements));
  appendFileSync(path.join(out, 'index.d.ts'), "import type {} from './globals.js';\n");
}

/** The module that defines all elements. @param {'' | '.js'} extension */
const allElements = (extension) => names.map((name) => `export * from './${name}${extension}';\n`).join('');

/** @param {string} out */
const bundle = (out) =>
  build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [elementModules(), minifyLiterals(), serverSafe()],
    // A server has no `self`.
    define: {self: 'globalThis'},
    build: {
      outDir: out,
      emptyOutDir: true,
      target: 'es2022',
      minify: false,
      lib: {
        entry: {
          index: path.join(source, 'index.ts'),
          'elements/index': 'elements:index',
          ...Object.fromEntries(names.map((name) => [`elements/${name}`, `elements:${name}`])),
        },
        formats: ['es'],
        fileName: (_format, name) => `${name}.js`,
      },
      rolldownOptions: {
        external: /^lit(?:\/|$)/,
        output: {comments: false, chunkFileNames: 'elements/parts/[name]-[hash].js'},
        checks: {ineffectiveDynamicImport: false},
      },
    },
  });

const MODULE = /(?:elements:|^\.\/)([a-z-]+)$/;

/** The modules of `vezne/elements`, each of which defines one element. @returns {import('vite').Plugin} */
function elementModules() {
  const files = readdirSync(repoPath('widgets'), {recursive: true, encoding: 'utf8'});
  return {
    name: 'element-modules',
    enforce: 'pre',
    resolveId(id, importer) {
      const [, name] = MODULE.exec(id) ?? [];
      if (name && (!importer || importer.startsWith('\0elements:'))) return `\0elements:${name}`;
      return id.startsWith('/widgets/') ? repoPath(id) : null;
    },
    load(id) {
      const [, name = ''] = /^\0elements:(.*)/.exec(id) ?? [];
      if (name === '') return null;
      if (name === 'index') return allElements('');
      const className = `Vezne${name.replaceAll(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase())}`;
      const file = files.find((each) => path.basename(each) === `vezne-${name}.ts`);
      return moduleSource(name, className, `/widgets/${file}`);
    },
  };
}

/** Lit brings its own `HTMLElement` to a server. The tracker has no Lit. @returns {import('vite').Plugin} */
function serverSafe() {
  const [before, after] = ['extends HTMLElement', 'extends (globalThis.HTMLElement ?? Object)'];
  return {
    name: 'server-safe',
    transform(code, id) {
      if (!id.endsWith('/vezne-activity.ts')) return null;
      if (!code.includes(before)) this.error(`Expected "${before}".`);
      return {code: code.replace(before, after), map: null};
    },
  };
}
