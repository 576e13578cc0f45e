/** Builds the relay into one file without dependencies, which Node 20 and newer can run without an installation. */

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
