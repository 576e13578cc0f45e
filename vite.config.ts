/**
 * Builds the elements into the files that a page loads. These are `vezne.js`, and the files that `vezne.js` fetches
 * from `vezne/<version>/`, which have a content hash in their names. For the demo site, the elements are built into a
 * different folder, to which `demo/vite.config.ts` adds the pages.
 */

import {defineConfig} from 'vite';
import {apiDescription, headers, litLicense} from './scripts/build/assets.ts';
import {elementChunks, standaloneTracker} from './scripts/build/elements.ts';
import {pageScripts} from './scripts/build/page-scripts.ts';

export default defineConfig({
  publicDir: false,
  plugins: [elementChunks(), pageScripts(), standaloneTracker(), litLicense(), apiDescription(), headers()],
  build: {
    outDir: 'dist/site',
    target: 'es2022',
    reportCompressedSize: false,
    lib: {entry: {vezne: 'widgets/vezne.ts'}, formats: ['es'], fileName: (_format, name) => `${name}.js`},
    rolldownOptions: {output: {comments: false, minify: true}},
  },
});
