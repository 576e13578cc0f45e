// @ts-check
// `npm run frameworks` sets every attribute of every element with each framework, before and after the elements are
// defined, and reads properties, attributes, the data of a form, and events; besides, it shows the elements to scripts
// that morph pages, and in simulated browsers. `npm run frameworks -- vue` runs one. The rows are those of the manifest
// (`test/widgets/support/attribute-table.ts`).

import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import path from 'node:path';
import process from 'node:process';
import {startNode} from '../cli/child-process.mjs';
import {freePort} from '../cli/ports.mjs';
import {chromiumArgs, findOrInstallChromium} from './lib/chromium.mjs';
import {install} from './lib/install.mjs';
import {repoPath, UserError} from './lib/repo.mjs';
import {makeScratchFolder} from './lib/scratch-folder.mjs';

const FOLDER = repoPath('test', 'frameworks');
const PAGES = ['react', 'vue', 'preact', 'svelte', 'solid', 'angular', 'mithril', 'morphs'];
const SIMULATED = ['jsdom', 'happy-dom'];

const chosen = process.argv[3];
if (chosen !== undefined && ![...PAGES, ...SIMULATED].includes(chosen))
  throw new UserError(`There is no "${chosen}". There are ${[...PAGES, ...SIMULATED].join(', ')}.`);
const isChosen = (/** @type {string} */ name) => chosen === undefined || chosen === name;

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
const pages = PAGES.filter(isChosen);
await build({
  root: FOLDER,
  configFile: false,
  publicDir: false,
  logLevel: 'error',
  define: {'process.env.NODE_ENV': '"production"', ngDevMode: 'false', ngJitMode: 'true', ngServerMode: 'false'},
  resolve: {
    alias: {
      'vezne/elements': path.join(built, 'elements', 'index.js'),
      'vezne/custom-elements.json': path.join(built, 'custom-elements.json'),
      lit: repoPath('node_modules', 'lit'),
    },
  },
  plugins: [svelteComponents()],
  build: {
    outDir: out,
    target: 'es2022',
    minify: false,
    modulePreload: false,
    rolldownOptions: {
      input: Object.fromEntries([...pages, 'simulated-table'].map((name) => [name, path.join(FOLDER, `${name}.js`)])),
      output: {entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js'},
      preserveEntrySignatures: 'strict',
    },
  },
});

for (const name of SIMULATED.filter(isChosen)) {
  const child = startNode(path.join(FOLDER, 'simulated.js'), [name, out]);
  await child.ended;
  const [, list] = /^found (.*)$/m.exec(child.output()) ?? [];
  show(name, list ? JSON.parse(list) : [child.output()]);
}
if (pages.length > 0) await runPages();
process.exit();

async function runPages() {
  const server = createServer(({url = '/'}, response) => {
    const {pathname} = new URL(url, 'http://localhost');
    const page = PAGES.find((name) => pathname === `/${name}`);
    if (page) {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      return response.end(
        `<!doctype html><html lang="en"><script type="module" src="/${page}.js"></script><body></body></html>`,
      );
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
    for (const name of pages) {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${port}/${name}`);
      const found = await page.evaluate('result');
      show(name, /** @type {string[]} */ (found));
      await page.close();
    }
  } finally {
    await browser.close();
    server.close();
  }
}

/** @param {string} name @param {readonly string[]} found */
function show(name, found) {
  if (found.length > 0) process.exitCode = 1;
  console.log(`${found.length > 0 ? 'FAILED' : 'ok    '}  ${name}`);
  for (const each of found) console.log(`        ${each}`);
}

/**
 * Compiles a Svelte component for each element, whose template has all attributes and listeners. `components.svelte`
 * exports them under the tags, with `_` in place of `-`.
 * @returns {import('vite').Plugin}
 */
function svelteComponents() {
  const PREFIX = '\0svelte:';
  /** @type {import('../test/widgets/support/attribute-table.ts').ElementRow[]} */
  const elements = JSON.parse(readFileSync(path.join(built, 'custom-elements.json'), 'utf8')).modules.flatMap(
    (/** @type {{declarations: unknown[]}} */ {declarations}) => declarations,
  );
  return {
    name: 'svelte-components',
    resolveId: (id) => (/^components\.svelte|^vezne-[\w-]+\.svelte$/.test(id) ? PREFIX + id : undefined),
    load(id) {
      if (!id.startsWith(PREFIX)) return undefined;
      if (id.endsWith('components.svelte'))
        return elements
          .map(({tagName}) => `export {default as ${tagName.replaceAll('-', '_')}} from '${tagName}.svelte';\n`)
          .join('');
      const row = elements.find(({tagName}) => id === `${PREFIX}${tagName}.svelte`);
      if (!row) return undefined;
      const attributes = row.attributes.map(({name}) => `${name}={values['${name}']}`);
      const listeners = row.events.map(({name}) => `on${name}={onEvent}`);
      const source = `<script>
  let {first, onEvent, onReady} = $props();
  let values = $state.raw(first);
  onReady((next) => (values = next));
</script>
<${row.tagName} ${[...attributes, ...listeners].join(' ')}></${row.tagName}>`;
      const {compile} = createRequire(path.join(FOLDER, 'package.json'))('svelte/compiler');
      return compile(source, {generate: 'client', filename: `${row.tagName}.svelte`}).js.code;
    },
  };
}
