/** Bundles the relay into one file that runs on Node 20 or newer without installing anything. */

import {defineConfig} from 'vite';
import {licences} from '../scripts/build/licences.mjs';

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [licences()],
  build: {
    ssr: 'vezne-relay.ts',
    outDir: '../dist/relay',
    emptyOutDir: true,
    target: 'node20',
    rolldownOptions: {output: {entryFileNames: 'vezne-relay.mjs', banner: '#!/usr/bin/env node'}},
  },
});
