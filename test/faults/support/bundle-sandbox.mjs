// @ts-check
// Bundles the sandbox into the folder that is the first argument. Vite needs less than half of wrangler's time. It runs
// in a process of its own, because a test runner would compile Vite itself first.

import process from 'node:process';
import {build} from 'vite';
import {repoPath, root} from '../../../scripts/lib/repo.mjs';

await build({
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'error',
  ssr: {noExternal: true, target: 'webworker'},
  build: {
    ssr: repoPath('sandbox', 'index.ts'),
    outDir: process.argv[2] ?? '',
    emptyOutDir: true,
    target: 'es2024',
    rolldownOptions: {external: [/^cloudflare:/, /^node:/], output: {entryFileNames: 'index.js', codeSplitting: false}},
  },
});
