/**
 * Builds the elements into the files that a page loads: `vezne.js`, and the files it fetches from `vezne/<version>/`,
 * with a content hash in their names. The demo builds into another folder and adds its pages.
 */

import {defineConfig} from 'vite';
import {apiDescription, headers, licence} from './scripts/build/assets.ts';
import {elementChunks, standaloneTracker} from './scripts/build/elements.ts';

export default defineConfig({
  publicDir: false,
  plugins: [elementChunks(), standaloneTracker(), licence(), apiDescription(), headers()],
  build: {
    outDir: 'dist/site',
    target: 'es2022',
    reportCompressedSize: false,
    lib: {entry: {vezne: 'widgets/vezne.ts'}, formats: ['es'], fileName: (_format, name) => `${name}.js`},
    rolldownOptions: {output: {comments: false, minify: true}},
  },
});
