/**
 * Builds the elements into the files that a page loads: `vezne.js`, which finds elements; a script for each kind of
 * elements, also as a pinned file of this version; and the files that these scripts fetch from `vezne/<version>/`, which
 * have a digest in their names; and the desk. The files of earlier releases are copied. For the demo site, the elements are built into
 * a different folder, to which `demo/vite.config.ts` adds the pages.
 */

import {defineConfig, type Plugin} from 'vite';
import {apiDescription, headers, styleSheets, version} from './scripts/build/assets.ts';
import {desk} from './scripts/build/desk.ts';
import {errorPages} from './scripts/build/error-pages.ts';
import {LICENCES_FILE, licences} from './scripts/build/licences.mjs';
import {modulesOfScripts, pageScript, pinnedTracker} from './scripts/build/page-scripts.ts';
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
  // From the tracker to its Worker.
  define: {__VEZNE_ROOT__: '"."'},
  plugins: [
    pageScript({name: 'checkout', kind: 'transfer', later: ['payment', 'hosted'], hasData: true}),
    pageScript({name: 'subscribe', kind: 'subscription', hasData: true}),
    pageScript({name: 'vendor', kind: 'vendor'}),
    pageScript({name: 'refund', kind: 'refund'}),
    pinnedTracker(),
    desk(),
    withoutImports(),
    styleSheets(),
    licences({fileName: `vezne/${version}/${LICENCES_FILE}`, more: modulesOfScripts}),
    apiDescription(),
    errorPages(),
    headers(),
    releases(),
  ],
  build: {
    outDir: 'dist/site',
    target: ['chrome103', 'firefox102', 'safari16.4'],
    reportCompressedSize: false,
    lib: {
      entry: {
        vezne: 'widgets/vezne.ts',
        activity: 'widgets/activity.ts',
        page: 'widgets/page.ts',
        check: 'widgets/check.ts',
      },
      formats: ['es'],
      fileName: (_format, name) => `${name}.js`,
    },
    // The builds of the page scripts take nearly all of the time.
    rolldownOptions: {checks: {bundlerTimings: false}, output: {comments: false, minify: true}},
  },
});
