// @ts-check
// Builds what the commands of `cli/` need in the package: the sandbox, the parser of settings and the builder of the demo,
// in place of sources.

import {writeFileSync} from 'node:fs';
import {build} from 'vite';
import {PARSER_MODULES} from '../../cli/project.mjs';
import {repoPath, root} from '../lib/repo.mjs';
import {licences} from './licences.mjs';
import {buildBuilder} from './site.mjs';
import {packWorker} from './worker-package.mjs';

export async function buildCommands() {
  packWorker('sandbox/wrangler.toml', repoPath('.cache', 'sandbox-package'), repoPath('dist', 'sandbox'));
  await buildBuilder(repoPath('dist', 'builder'));

  const entry = repoPath('.cache', 'worker-config.ts');
  const modules = PARSER_MODULES.map((name) => `export * from '../worker/config/${name}.ts';\n`);
  writeFileSync(entry, modules.join(''));
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: {DESCRIBED: 'true'},
    plugins: [licences()],
    build: {
      outDir: repoPath('dist', 'cli'),
      emptyOutDir: true,
      target: 'node22',
      lib: {entry, formats: ['es'], fileName: () => 'worker-config.js'},
      rolldownOptions: {output: {comments: false, minify: true}},
    },
  });
}
