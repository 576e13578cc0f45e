/**
 * Builds the elements into the files that a page loads: `vezne.js`, which finds elements; a script for each kind of
 * elements; and the files that these scripts fetch from `vezne/<version>/`, which have a digest in their names. For the
 * demo site, the elements are built into a different folder, to which `demo/vite.config.ts` adds the pages. The files of
 * earlier releases are copied. Each script also becomes a pinned file of this version.
 */

import {defineConfig, type Plugin} from 'vite';
import {apiDescription, headers, litLicense, styleSheets} from './scripts/build/assets.ts';
import {errorPages} from './scripts/build/error-pages.ts';
import {pageScripts} from './scripts/build/page-scripts.ts';
import {releases} from './scripts/build/releases.ts';

/** Fails the build if a script imports another file: a page would have to wait for one more request. */
function withoutImports(): Plugin {
  return {
    name: 'without-imports',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && chunk.imports.length > 0)
          this.error(`${chunk.fileName} must have no static imports.`);
    },
  };
}

export default defineConfig({
  publicDir: false,
  plugins: [
    pageScripts(),
    withoutImports(),
    styleSheets(),
    litLicense(),
    apiDescription(),
    errorPages(),
    headers(),
    releases(),
  ],
  build: {
    outDir: 'dist/site',
    target: 'es2022',
    reportCompressedSize: false,
    lib: {
      entry: {vezne: 'widgets/vezne.ts', activity: 'widgets/activity.ts', page: 'widgets/page.ts'},
      formats: ['es'],
      fileName: (_format, name) => `${name}.js`,
    },
    rolldownOptions: {output: {comments: false, minify: true}},
  },
});
