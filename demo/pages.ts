/**
 * A vite plugin that writes each page of `pages/` in each language of `locales/`, and the HTTP headers of the pages. For
 * the package, it writes the builder alone, without what `npx vezne dev` fills in (`cli/dev.mjs`).
 */

import {appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {parse} from 'smol-toml';
import type {Plugin} from 'vite';
import {readChoices} from './builder/choices.ts';
import type {Offers} from './builder/elements.ts';
import {htmlSnippet} from './builder/snippet.ts';

interface Options {
  /** Output folder of the site, or of the builder for the package. */
  readonly site: string;
  readonly isPackage: boolean;
  /** Origin of the sandbox. */
  readonly sandbox: string;
}

const LANGUAGES = ['tr', 'en'] as const;
type Language = (typeof LANGUAGES)[number];
type Messages = Readonly<Record<string, string>>;

/** Pages with the icon of the fictional shop; the other pages have Vezne's icon. */
const SHOP_PAGES: ReadonlySet<string> = new Set(['shop', 'club', 'bill']);

/** Addresses that documents, the sandbox and the offers of wrangler.toml name, and what they are a part of. */
const REDIRECTS: Readonly<Record<string, string>> = {
  pay: 'shop?pay=platform',
  controls: 'api?of=sandbox',
  terms: 'club#terms',
};

/** The Trusted Types policies of the elements, as in `docs/elements.md`, and of a library in Swagger UI. */
const TRUSTED_TYPES = 'vezne-transfer vezne-subscription vezne-vendor vezne-refund vezne-human dompurify';

/** The files of the demo's typeface, with its license, by their names in the package. */
const TYPEFACE = {
  'bricolage-latin.woff2': 'files/bricolage-grotesque-latin-wght-normal.woff2',
  'bricolage-latin-ext.woff2': 'files/bricolage-grotesque-latin-ext-wght-normal.woff2',
  'bricolage-licence.txt': 'LICENSE',
};

/** The address of the demo while nobody chooses a port. */
const WORKER = 'http://localhost:5173';

/** The pages of the builder, which have no styles of the shop, and its files that need no build. */
const BUILDER = new Set(['index', 'preview']);
const BUILDER_FILES = ['base.css', 'builder.css', 'shell.css', 'vezne.svg'];

const here = import.meta.dirname;
const fonts = path.join(here, '../node_modules/@fontsource-variable/bricolage-grotesque');
const read = (...parts: string[]) => readFileSync(path.join(here, ...parts), 'utf8');
const pageNames = () => readdirSync(path.join(here, 'pages')).map((file) => path.basename(file, '.html'));

/** Turkish pages are at `/`, English pages at `/en/`. */
const folder = (language: Language) => (language === 'tr' ? '' : 'en/');
const address = (language: Language, page: string) => `/${folder(language)}${page === 'index' ? '' : page}`;

export function pages({site, sandbox, isPackage}: Options): Plugin {
  const shown = pageNames().filter((page) => !isPackage || BUILDER.has(page));
  return {
    name: 'demo-pages',
    buildStart() {
      for (const file of readdirSync(here, {recursive: true, encoding: 'utf8'})) {
        if (/\.(html|css|svg)$|^locales\b/.test(file)) this.addWatchFile(path.join(here, file));
      }
    },
    async generateBundle() {
      const files = isPackage
        ? BUILDER_FILES.map((name) => [name, path.join(here, 'files', 'demo', name)] as const)
        : Object.entries(TYPEFACE).map(([name, file]) => [name, path.join(fonts, file)] as const);
      for (const [name, file] of files)
        this.emitFile({type: 'asset', fileName: `demo/${name}`, source: readFileSync(file)});
      const messages = await readMessages();
      for (const language of LANGUAGES) {
        for (const page of shown) {
          this.emitFile({
            type: 'asset',
            fileName: `${folder(language)}${page}.html`,
            source: renderPage(page, language, messages[language], isPackage ? undefined : sandbox),
          });
        }
      }
    },
    closeBundle() {
      if (isPackage) return;
      const output = path.resolve(here, site);
      writeHeaders(output, sandbox);
      writeFileSync(path.join(output, '_redirects'), redirects());
    },
  };
}

/**
 * Reads all static texts of the pages. The import is not cached, because `npm run dev` reads the texts again after each
 * change.
 */
async function readMessages(): Promise<Readonly<Record<Language, Messages>>> {
  const files = readdirSync(path.join(here, 'locales')).map((file) => path.join(here, 'locales', file));
  const all = await Promise.all(
    files.map(
      (file) =>
        import(`${pathToFileURL(file).href}?${statSync(file).mtimeMs}`) as Promise<
          Readonly<Record<Language, Messages>>
        >,
    ),
  );
  const merged = (language: Language): Messages => {
    const entries = all.flatMap((page) => Object.entries(page[language]));
    const messages = Object.fromEntries(entries);
    if (Object.keys(messages).length < entries.length)
      throw new Error('Two files of demo/locales/ have a message with the same name.');
    return messages as Messages;
  };
  return {tr: merged('tr'), en: merged('en')};
}

/**
 * Returns the merchant key of the local Worker if it is the sandbox's key, which is public. Any other key must not
 * appear in a page.
 */
function publicKey(): string {
  const file = path.join(here, '..', '.dev.vars');
  const [, key = ''] =
    /^MERCHANT_API_KEY=(sandbox-[\w-]+)$/m.exec(existsSync(file) ? readFileSync(file, 'utf8') : '') ?? [];
  return key;
}

/** The style sheets of a page. The typeface is only in the demo. */
function styles(page: string): string {
  const names = BUILDER.has(page) ? ['base', 'builder', 'shell'] : ['base', 'shop', 'bank', 'club', 'shell'];
  return names.map((name) => `  <link rel="stylesheet" href="/demo/${name}.css">`).join('\n');
}

/** What the demo writes into the builder in place of `npx vezne dev`, and the lines that the builder shows first. */
function builderValues(language: Language, sandbox: string): Record<string, string> {
  const {OFFERS: offers} = (parse(read('..', 'wrangler.toml')) as unknown as {vars: {OFFERS: Offers}}).vars;
  const place = {worker: WORKER, platform: sandbox, language};
  return {
    data: JSON.stringify({sandbox, key: publicKey(), offers}).replaceAll('<', String.raw`\u003c`),
    snippet: htmlSnippet(readChoices(new URLSearchParams(), offers), place).replaceAll('<', '&lt;'),
  };
}

/** In the package, `npx vezne dev` has the data, and there is a page of controls in place of the bank. */
const packageValues = ({nav_sandbox = ''}: Messages) => ({
  data: '{{data}}',
  snippet: '',
  bank: '/controls',
  nav_bank: nav_sandbox,
});

/**
 * Replaces `{{name}}` with a message or value, and `{{> name}}` with a partial. An unknown name fails the build.
 * @param sandbox - Undefined in the package.
 */
function renderPage(page: string, language: Language, messages: Messages, sandbox: string | undefined): string {
  const other = LANGUAGES.find((each) => each !== language) ?? language;
  const addresses = Object.fromEntries(pageNames().map((name) => [name, address(language, name)]));
  const values: Record<string, string | undefined> = {
    ...addresses,
    home: address(language, 'index'),
    language,
    sandbox: sandbox ?? '',
    other_language: other,
    other_page: address(other, page),
    mark: SHOP_PAGES.has(page) ? 'lamp' : 'vezne',
    merchant_key: publicKey(),
    title: messages[`${page}_title`],
    description: messages[`${page}_description`],
    styles: styles(page),
    ...messages,
    ...(sandbox === undefined ? packageValues(messages) : builderValues(language, sandbox)),
  };
  /** A partial may differ from page to page, as the tools in the demo's bar do, or in the package. */
  const partial = (name: string): string => {
    const variants = [...(sandbox === undefined ? [`${name}-package`] : []), `${name}-${page}`, name];
    const files = variants.map((each) => path.join(here, 'partials', `${each}.html`));
    const file = files.find((each) => existsSync(each));
    if (file === undefined && name !== 'controls') throw new Error(`demo/partials/ has no ${name}.html.`);
    return file === undefined ? '' : readFileSync(file, 'utf8').trimEnd();
  };
  const fill = (template: string): string =>
    template
      .replaceAll(/\{\{> ([\w-]+)\}\}/g, (_, name: string) => fill(partial(name)))
      .replaceAll(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
        const value = values[name];
        if (value === undefined)
          throw new Error(`demo/pages/${page}.html uses "${name}", which is missing in demo/locales/.`);
        return value;
      });
  const own = `href="${address(language, page)}"`;
  // The menu with all pages marks the page that is open.
  const markOwn = (html: string) =>
    html.replace(/<nav class="demo-panel"[^]*?<\/nav>/, (menu) => menu.replace(own, `${own} aria-current="page"`));
  return markOwn(fill(read('layout.html').replace('{{content}}', () => read('pages', `${page}.html`))));
}

/** Turkish pages lead to Turkish pages, and English pages to English pages. */
function redirects(): string {
  const rules = LANGUAGES.flatMap((language) =>
    Object.entries(REDIRECTS).map(([from, to]) => `${address(language, from)} ${address(language, to)} 302\n`),
  );
  return rules.join('');
}

const MARK = '# The demo site';

/** Only the builder frames a page: that of its preview. */
const ancestors = (page: string) => (page === 'preview' ? "'self'" : "'none'");

/**
 * Writes the Content Security Policy that a careful merchant would set: no inline code or style, no eval, and DOM sinks
 * only through the Trusted Types policy of the Vezne elements. `npm run dev` has no policy, because live reload needs
 * an inline script.
 */
function writeHeaders(site: string, sandbox: string): void {
  const file = path.join(site, '_headers');
  const existingHeaders = existsSync(file) ? (readFileSync(file, 'utf8').split(MARK)[0] ?? '').trimEnd() : '';
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${sandbox}`,
    // Frames show the builder's preview, and the platform's vendor form, which ends with this site's own return page.
    `frame-src 'self' ${sandbox}`,
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    `trusted-types ${TRUSTED_TYPES}`,
  ].join('; ');
  const rules = LANGUAGES.flatMap((language) =>
    pageNames().map(
      (page) =>
        `${address(language, page)}\n  Content-Security-Policy: ${policy}; frame-ancestors ${ancestors(page)}\n  X-Content-Type-Options: nosniff\n  Referrer-Policy: strict-origin-when-cross-origin\n`,
    ),
  );
  writeFileSync(file, existingHeaders ? `${existingHeaders}\n\n` : '');
  appendFileSync(file, `${MARK}\n${process.env['VEZNE_DEV'] ? '' : rules.join('\n')}`);
}
