// @ts-check
// Bundles the element tests, so that a test page fetches a few files instead of hundreds of modules. All tests together
// run in four pages, because a page costs more processor time than the tests of most files.

import {globSync, mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {build} from 'vite';
import {repoPath, root} from './repo.mjs';

/** The modules that test pages in frames load. */
const LOADED_IN_FRAMES = ['widgets/bundles/{all,one-click,pin-subscribe,transfer}.ts', 'package/load.ts'];
/** Modules that only the test runner can serve. */
const SERVED_BY_RUNNER = [/\/(stub-origin|manifest)\.js$/, /^\/__web-dev-server__/];

/** Two run at the same time. */
const PAGES = 4;

/**
 * The modules of the test pages. Each named file has a page of its own. Without a name, there are four pages, and each
 * imports a quarter of all files.
 * @param {string[]} args - The arguments of the test runner.
 * @returns {string[]} their paths.
 */
export function testPages(args) {
  const named = args.map((name) => path.relative(root, path.resolve(name))).filter((name) => /^test\b/.test(name));
  if (named.length > 0) return findTests(named.flatMap((name) => [name, `${name}/**`]));
  const files = findTests(['test/widgets/**']);
  mkdirSync(repoPath('.cache', 'element-tests'), {recursive: true});
  return Array.from({length: PAGES}, (_, page) => {
    const imports = files
      .filter((_file, index) => index % PAGES === page)
      .map((file) => `import ${JSON.stringify(`../../${file.split(path.sep).join('/')}`)};\n`);
    const module = `.cache/element-tests/page-${page + 1}.js`;
    writeFileSync(repoPath(module), imports.join(''));
    return module;
  });
}

/** @param {string[]} patterns */
const findTests = (patterns) =>
  globSync(patterns, {cwd: root})
    .filter((name) => name.endsWith('.test.ts'))
    .toSorted();

/**
 * Makes each test file one suite, so that its hooks apply to no other file in its page, and the suite's name is the
 * path of the file.
 * @param {string | undefined} title - Only the tests whose title matches it are defined.
 * @returns {import('vite').Plugin}
 */
const suitePerFile = (title) => ({
  name: 'suite-per-file',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('.test.ts')) return undefined;
    const {body} = this.parse(code, {lang: 'ts'});
    const start = body.findLast(({type}) => type === 'ImportDeclaration')?.end ?? 0;
    const titled = JSON.stringify(repoPath('test', 'widgets', 'support', 'titled.ts'));
    const begin = `${title ? `import {describe, it} from ${titled};` : ''} describe(${JSON.stringify(path.relative(root, id))}, () => {`;
    return {code: `${code.slice(0, start)} ${begin}${code.slice(start)}});`, map: null};
  },
});

/**
 * A plugin for the test runner: it bundles the tests, and serves every bundle at the path of its source. Modules that
 * several tests import are in shared files, which Chromium compiles once.
 * @param {string[]} pages - What `testPages` returns.
 * @param {string} [title] - Only the tests whose title matches this expression run.
 */
export function bundledTests(pages, title) {
  /** @type {Map<string, string>} */
  const files = new Map();
  return {
    name: 'bundled-tests',
    async serverStart() {
      const inputs = [...pages, ...globSync(LOADED_IN_FRAMES, {cwd: root})];
      const built = await build({
        root,
        configFile: false,
        publicDir: false,
        logLevel: 'error',
        plugins: [suitePerFile(title)],
        define: title ? {TITLE: JSON.stringify(title)} : {},
        build: {
          write: false,
          target: 'es2022',
          minify: false,
          sourcemap: true,
          modulePreload: false,
          rolldownOptions: {
            input: Object.fromEntries(inputs.map((file) => [file, file])),
            external: SERVED_BY_RUNNER,
            // A file loaded later must not import the module of a test page, which would then run twice.
            preserveEntrySignatures: 'strict',
            output: {entryFileNames: '[name]', chunkFileNames: 'bundled/[name]-[hash].js'},
          },
        },
      });
      const {output} = /** @type {import('vite').Rolldown.RolldownOutput} */ (built);
      for (const file of output)
        files.set(`/${file.fileName}`, file.type === 'chunk' ? file.code : String(file.source));
    },
    /** @param {{path: string}} context */
    serve: ({path: file}) =>
      files.has(file) ? {body: files.get(file), type: file.endsWith('.map') ? 'json' : 'js'} : undefined,
  };
}
