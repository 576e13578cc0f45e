/** Vite plugins that add the files served next to the scripts: the style sheet, the API description and `_headers`. */

import {execFile} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import process from 'node:process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import type {Plugin} from 'vite';

/** The style sheet for the time before the scripts have run, and that of the Worker's own pages. */
const STYLE_SHEETS = ['vezne.css', 'page.css'];

export function styleSheets(): Plugin {
  const sheets = STYLE_SHEETS.map((name) => ({name, file: new URL(`../../widgets/${name}`, import.meta.url)}));
  return {
    name: 'style-sheets',
    buildStart() {
      for (const {file} of sheets) this.addWatchFile(fileURLToPath(file));
    },
    generateBundle() {
      for (const {name, file} of sheets)
        this.emitFile({type: 'asset', fileName: name, source: shorten(readFileSync(file, 'utf8'))});
    },
  };
}

/**
 * Leaves out comments, line breaks and the last semicolon of each rule. The style sheets have none of them in a text.
 * Beasties 0.5.4 drops another semicolon where a rule in one line ends with one (findings/beasties-semicolons.sh), and
 * finds only those names of animations that have a space before them.
 */
export const shorten = (css: string) =>
  css
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\s?([{};])\s?/g, '$1')
    .replaceAll(';}', '}')
    .trim();

/** What a test imports to get the API description. */
const DESCRIPTION_MODULE = 'virtual:openapi';
const CONTRACT = new URL('../../worker/contract/', import.meta.url);

/**
 * Makes the API description, `openapi.json`, from the contract. A process of its own reads the contract as it is now:
 * this process would keep what it has once imported, also while it watches files.
 */
export function apiDescription(): Plugin {
  let made: Promise<{stdout: string}> | undefined;
  const script = fileURLToPath(new URL('openapi.mjs', import.meta.url));
  const description = async () => {
    made ??= promisify(execFile)(process.execPath, [script], {maxBuffer: 16_000_000});
    return (await made).stdout;
  };
  return {
    name: 'api-description',
    configResolved({command}) {
      // A build goes on meanwhile. It reports a failure when it needs the description.
      if (command === 'build') description().catch(() => {});
    },
    resolveId: (id) => (id === DESCRIPTION_MODULE ? `\0${DESCRIPTION_MODULE}` : undefined),
    async load(id) {
      if (id !== `\0${DESCRIPTION_MODULE}`) return undefined;
      // In a run of all steps, the step `build` has made it.
      const site = process.env['VEZNE_BUILT_SITE'];
      return `export default ${site ? readFileSync(`${site}/openapi.json`, 'utf8') : await description()}`;
    },
    buildStart() {
      if (!this.meta.watchMode) return;
      for (const file of readdirSync(CONTRACT, {recursive: true, encoding: 'utf8'}))
        if (file.endsWith('.ts')) this.addWatchFile(fileURLToPath(new URL(file, CONTRACT)));
    },
    watchChange(file) {
      if (file.startsWith(fileURLToPath(CONTRACT))) made = undefined;
    },
    async generateBundle() {
      this.emitFile({type: 'asset', fileName: 'openapi.json', source: await description()});
    },
  };
}

/**
 * Writes `_headers`, which sets the response headers of static files. Pages of any origin may load these files.
 * Browsers cache the scripts and the API description for five minutes, and files with a content hash in their name for
 * a year.
 */
export function headers(): Plugin {
  const common = [
    'Access-Control-Allow-Origin: *',
    'Cross-Origin-Resource-Policy: cross-origin',
    'X-Content-Type-Options: nosniff',
  ];
  const rules = {
    // A page waits for the style sheet before it draws the element, so browsers keep it longer than the scripts.
    '/vezne.css': [...common, 'Cache-Control: public, max-age=3600, stale-while-revalidate=604800'],
    '/page.css': [...common, 'Cache-Control: public, max-age=300'],
    '/page.js': [...common, 'Cache-Control: public, max-age=300'],
    '/vezne.js': [...common, 'Cache-Control: public, max-age=300'],
    '/refund.js': [...common, 'Cache-Control: public, max-age=300'],
    '/vendor.js': [...common, 'Cache-Control: public, max-age=300'],
    '/activity.js': [...common, 'Cache-Control: public, max-age=300'],
    '/check.js': [...common, 'Cache-Control: public, max-age=300'],
    '/openapi.json': [...common, 'Cache-Control: public, max-age=300'],
    '/problems/*': [
      'Cache-Control: public, max-age=3600',
      "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'X-Content-Type-Options: nosniff',
    ],
    // The Worker sends the document of the desk with these headers. `noopener-allow-popups` cuts it off from the page that
    // opened it, also of the same origin.
    '/desk/page.txt': [
      "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types vezne-desk",
      'Cross-Origin-Opener-Policy: noopener-allow-popups',
      'Cross-Origin-Resource-Policy: same-origin',
      'Referrer-Policy: same-origin',
      'X-Frame-Options: DENY',
      'X-Robots-Tag: noindex, nofollow, noarchive',
      'X-Content-Type-Options: nosniff',
      '! Cache-Control',
      'Cache-Control: no-store',
    ],
    '/desk/desk-*': [
      'Cache-Control: public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy: same-origin',
      'X-Content-Type-Options: nosniff',
    ],
    '/vezne/*': [...common, 'Cache-Control: public, max-age=31536000, immutable'],
    // Only the Worker reads these templates. Their names contain no hash of their content, so browsers must not cache
    // them for a year.
    [`/vezne/${version}/single/*`]: ['! Cache-Control'],
    '/vezne/releases.json': ['! Cache-Control', 'Cache-Control: public, max-age=300'],
  };
  const source = Object.entries(rules).map(([path, lines]) => [path, ...lines.map((line) => `  ${line}`)].join('\n'));
  return {
    name: 'headers',
    generateBundle() {
      this.emitFile({type: 'asset', fileName: '_headers', source: `${source.join('\n')}\n`});
    },
  };
}

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {version: string};

/**
 * The version of the elements. It is part of each file's path, so that a page never mixes files of two versions. A test
 * builds the next version of today's code.
 */
export const version = process.env['VEZNE_VERSION'] ?? manifest.version;
