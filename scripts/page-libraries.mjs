// @ts-check
// `npm run page-libraries` shows the elements to session recorders, which must not record what is private, and visits
// landing pages with libraries that replace parts of a page, which must count each view once. `npm run page-libraries --
// rrweb` runs one.

import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import path from 'node:path';
import process from 'node:process';
import {freePort} from '../cli/ports.mjs';
import {chromiumArgs, findOrInstallChromium} from './lib/chromium.mjs';
import {install} from './lib/install.mjs';
import {repoPath, UserError} from './lib/repo.mjs';
import {makeScratchFolder} from './lib/scratch-folder.mjs';

const FOLDER = repoPath('test', 'page-libraries');
const RECORDERS = ['rrweb', 'sentry', 'posthog', 'clarity'];
const NAVIGATIONS = ['turbo', 'htmx', 'swup', 'barba', 'history'];

const chosen = process.argv[3];
if (chosen !== undefined && ![...RECORDERS, ...NAVIGATIONS].includes(chosen))
  throw new UserError(`There is no "${chosen}". There are ${[...RECORDERS, ...NAVIGATIONS].join(', ')}.`);

install();
install(FOLDER);
const {chromium} = await import('playwright-core');
const {build} = await import('vite');

const scratch = makeScratchFolder();
// In `.ci/run`, `npm test` has built the package.
let built = repoPath('dist', 'page');
if (!process.env['VEZNE_BUILT_SITE']) {
  built = path.join(scratch, 'page');
  const {buildPagePackage} = await import('./build/page-package.mjs');
  await buildPagePackage(built);
}
const out = path.join(scratch, 'pages');
await build({
  root: FOLDER,
  configFile: false,
  publicDir: false,
  logLevel: 'error',
  resolve: {
    alias: {'vezne/elements': path.join(built, 'elements', 'index.js'), lit: repoPath('node_modules', 'lit')},
  },
  build: {
    outDir: out,
    target: 'es2022',
    minify: false,
    modulePreload: false,
    rolldownOptions: {
      input: {main: path.join(FOLDER, 'main.js')},
      output: {entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js'},
      preserveEntrySignatures: 'strict',
    },
  },
});

const server = createServer((request, response) => {
  const {pathname} = new URL(request.url ?? '/', 'http://localhost');
  const [, library = '', name = ''] = /^\/(\w+)\/(a|b)$/.exec(pathname) ?? [];
  if (name) {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    return response.end(landingPage(library, name));
  }
  // What the recorders ask their servers for, and send to them.
  if (pathname.startsWith('/posthog/') || pathname.startsWith('/api/')) {
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({sessionRecording: {endpoint: '/s/'}, supportedCompression: []}));
  }
  try {
    const content = readFileSync(path.join(out, path.posix.normalize(pathname)));
    response.setHeader('content-type', 'text/javascript; charset=utf-8');
    response.end(content);
  } catch {
    response.writeHead(404).end();
  }
});
const port = await freePort();
await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
const browser = await chromium.launch({executablePath: findOrInstallChromium(), args: chromiumArgs});
try {
  for (const name of [...RECORDERS, ...NAVIGATIONS]) {
    if (chosen !== undefined && chosen !== name) continue;
    const page = await browser.newPage();
    if (process.env['DEBUG']) page.on('console', (message) => console.log(message.text()));
    await page.goto(`http://127.0.0.1:${port}/${name}/a`);
    const call = RECORDERS.includes(name) ? 'tryRecorder' : 'tryNavigation';
    const found = /** @type {string[]} */ (
      await page
        .evaluate(`import('/main.js').then((main) => main.${call}('${name}'))`)
        .catch((error) => [String(error)])
    );
    if (found.length > 0) process.exitCode = 1;
    console.log(`${found.length > 0 ? 'FAILED' : 'ok    '}  ${name}`);
    for (const each of found) console.log(`        ${each}`);
    await page.close();
  }
} finally {
  await browser.close();
  server.close();
}
process.exit();

/** A landing page as a shop makes it. @param {string} library @param {string} name */
function landingPage(library, name) {
  const boost = library === 'htmx' ? ' hx-boost:inherited="true"' : '';
  return `<!doctype html><html lang="en"><head><title>${name}</title>
    <script type="module" src="/main.js"></script></head>
    <body${boost}><div data-barba="wrapper"><main id="view" data-barba="container" data-barba-namespace="${name}">
    <h1>${name}</h1><a href="a">a</a> <a href="b">b</a>
    <vezne-activity offer="club" api="http://127.0.0.1:${port}/worker"></vezne-activity></main></div></body></html>`;
}
