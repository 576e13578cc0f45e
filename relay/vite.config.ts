/** Bundles the relay into one file that runs on Node 20 or newer without installing anything. */

import {defineConfig} from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    ssr: 'vezne-relay.ts',
    outDir: '../dist/relay',
    emptyOutDir: true,
    target: 'node20',
    rolldownOptions: {output: {entryFileNames: 'vezne-relay.mjs', banner: '#!/usr/bin/env node'}},
  },
});
