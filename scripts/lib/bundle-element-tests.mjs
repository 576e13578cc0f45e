// @ts-check
// Bundles the element tests, so that each test page fetches a few files instead of hundreds of modules.

import {globSync} from 'node:fs';
import {build} from 'vite';
import {root} from './repo.mjs';

/** The tests, and the modules that test pages in frames load. */
const ENTRIES = [
  'test/widgets/**/*.test.ts',
  'widgets/bundles/{all,one-click,pin-subscribe,transfer}.ts',
  'package/load.ts',
];

/** Modules that only the test runner can serve. */
const SERVED_BY_RUNNER = [/\/stub-origin\.js$/, /^\/__web-dev-server__/];

/**
 * A plugin for the test runner: it bundles all tests, and serves every bundle at the path of its source. Modules that
 * several tests import are in shared files, which Chromium compiles once.
 */
export function bundledTests() {
  /** @type {Map<string, string>} */
  const files = new Map();
  return {
    name: 'bundled-tests',
    async serverStart() {
      const paths = ENTRIES.flatMap((pattern) => globSync(pattern, {cwd: root}));
      const built = await build({
        root,
        configFile: false,
        publicDir: false,
        logLevel: 'error',
        build: {
          write: false,
          target: 'es2022',
          minify: false,
          sourcemap: true,
          modulePreload: false,
          rolldownOptions: {
            input: Object.fromEntries(paths.map((path) => [path, path])),
            external: SERVED_BY_RUNNER,
            preserveEntrySignatures: 'allow-extension',
            output: {entryFileNames: '[name]', chunkFileNames: 'bundled/[name]-[hash].js'},
          },
        },
      });
      const {output} = /** @type {import('vite').Rolldown.RolldownOutput} */ (built);
      for (const file of output)
        files.set(`/${file.fileName}`, file.type === 'chunk' ? file.code : String(file.source));
    },
    /** @param {{path: string}} context */
    serve: ({path}) =>
      files.has(path) ? {body: files.get(path), type: path.endsWith('.map') ? 'json' : 'js'} : undefined,
  };
}
