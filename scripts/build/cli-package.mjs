// @ts-check
// Builds what the commands of `cli/` need in the package: the sandbox and the parser of settings, in place of sources.

import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {build} from 'vite';
import {PARSER_MODULES} from '../../cli/project.mjs';
import {repoPath, root} from '../lib/repo.mjs';
import {bundleWorker, withoutMap} from './worker-package.mjs';

export async function buildCommands() {
  const bundled = repoPath('.cache', 'sandbox-package');
  bundleWorker('sandbox/wrangler.toml', bundled);
  const sandbox = repoPath('dist', 'sandbox');
  rmSync(sandbox, {recursive: true, force: true});
  mkdirSync(sandbox, {recursive: true});
  writeFileSync(path.join(sandbox, 'index.js'), withoutMap(readFileSync(path.join(bundled, 'index.js'), 'utf8')));

  const entry = repoPath('.cache', 'worker-config.ts');
  const modules = PARSER_MODULES.map((name) => `export * from '../worker/config/${name}.ts';\n`);
  writeFileSync(entry, modules.join(''));
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: {DESCRIBED: 'false'},
    build: {
      outDir: repoPath('dist', 'cli'),
      emptyOutDir: true,
      target: 'node22',
      lib: {entry, formats: ['es'], fileName: () => 'worker-config.js'},
      rolldownOptions: {output: {comments: false, minify: true}},
    },
  });
}
