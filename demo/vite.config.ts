/**
 * Builds the demo site for the sandbox at VEZNE_SANDBOX into the folder VEZNE_SITE, where the Vezne elements already
 * are; with VEZNE_PACKAGE, only the builder, as the package has it. Files keep plain names without hashes, so that a
 * page's source looks like a merchant's page.
 */

import {defineConfig} from 'vite';
import {licences} from '../scripts/build/licences.mjs';
import {pages} from './pages.ts';

const site = process.env['VEZNE_SITE'] ?? '../dist/demo';
const sandbox = process.env['VEZNE_SANDBOX'] ?? 'http://localhost:8790';
const isPackage = process.env['VEZNE_PACKAGE'] !== undefined;

export default defineConfig({
  root: import.meta.dirname,
  publicDir: !isPackage && 'files',
  plugins: [pages({site, sandbox, isPackage}), ...(isPackage ? [licences({fileName: 'demo/licences.txt'})] : [])],
  build: {
    outDir: site,
    emptyOutDir: isPackage,
    modulePreload: {polyfill: false},
    // Swagger UI, in kB.
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: {
        builder: 'builder/builder.ts',
        preview: 'builder/preview.ts',
        ...(!isPackage && {
          shop: 'shop.ts',
          bank: 'bank.ts',
          bill: 'bill.ts',
          api: 'api.ts',
          club: 'club/club.ts',
        }),
      },
      output: {
        entryFileNames: 'demo/[name].js',
        chunkFileNames: 'demo/[name].js',
        assetFileNames: 'demo/[name][extname]',
      },
    },
  },
});
