/** The vite plugin that writes every page of `pages/` in every language of `locales/`, and the headers they are served with. */

import {appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Plugin} from 'vite';

interface Options {
  /** Folder the site is built into. */
  readonly site: string;
  /** Origin of the sandbox. */
  readonly sandbox: string;
}

const LANGUAGES = ['tr', 'en'] as const;
type Language = (typeof LANGUAGES)[number];
type Messages = Readonly<Record<string, string>>;

/** What the made-up shop shows; the rest is Vezne's own. */
const SHOP_PAGES: ReadonlySet<string> = new Set([
  'shop',
  'club',
  'one-click',
  'tracker',
  'membership',
  'market',
  'pay',
]);

/** Names of the kit's Trusted Types policies, by page. */
const TRUSTED_TYPES: Readonly<Record<string, string>> = {
  shop: 'vezne-transfer',
  pay: 'vezne-transfer',
  club: 'vezne-subscription',
  'one-click': 'vezne-subscription',
  membership: 'vezne-subscription',
  market: 'vezne-vendor',
};

const here = import.meta.dirname;
const read = (...parts: string[]) => readFileSync(path.join(here, ...parts), 'utf8');
const pageNames = () => readdirSync(path.join(here, 'pages')).map((file) => path.basename(file, '.html'));

/** Turkish is at home at `/`, English beside it at `/en/`. */
const folder = (language: Language) => (language === 'tr' ? '' : 'en/');
const address = (language: Language, page: string) => `/${folder(language)}${page === 'index' ? '' : page}`;

export function pages({site, sandbox}: Options): Plugin {
  return {
    name: 'demo-pages',
    buildStart() {
      for (const file of readdirSync(here, {recursive: true, encoding: 'utf8'})) {
        if (/\.(html|css|svg)$|^locales\b/.test(file)) this.addWatchFile(path.join(here, file));
      }
    },
    async generateBundle() {
      const words = await readMessages();
      for (const language of LANGUAGES) {
        for (const page of pageNames()) {
          this.emitFile({
            type: 'asset',
            fileName: `${folder(language)}${page}.html`,
            source: renderPage(page, language, words[language], sandbox),
          });
        }
      }
    },
    closeBundle() {
      writeHeaders(path.resolve(here, site), sandbox);
    },
  };
}

/** Every sentence the pages begin with, as it is now: `npm run dev` reads them again after every change. */
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
    const words = Object.fromEntries(entries);
    if (Object.keys(words).length < entries.length)
      throw new Error('Two files of demo/locales/ have a message of the same name.');
    return words as Messages;
  };
  return {tr: merged('tr'), en: merged('en')};
}

/** The merchant key this machine's Worker takes, where it is the sandbox's: that one is public. Any other stays out of every page. */
function publicKey(): string {
  const file = path.join(here, '..', '.dev.vars');
  const [, key = ''] =
    /^MERCHANT_API_KEY=(sandbox-[\w-]+)$/m.exec(existsSync(file) ? readFileSync(file, 'utf8') : '') ?? [];
  return key;
}

/** Fills `{{name}}` with words or values and `{{> name}}` with a part; a name nobody knows fails the build. */
function renderPage(page: string, language: Language, words: Messages, sandbox: string): string {
  const other = LANGUAGES.find((each) => each !== language) ?? language;
  const values: Record<string, string | undefined> = {
    language,
    sandbox,
    other_language: other,
    other_page: address(other, page),
    ...(SHOP_PAGES.has(page) ? {brand: words['shop_name'], mark: 'lamp'} : {brand: 'Vezne', mark: 'vezne'}),
    home: address(language, 'index'),
    shop: address(language, 'shop'),
    bank: address(language, 'bank'),
    api: address(language, 'api'),
    club: address(language, 'club'),
    one_click: address(language, 'one-click'),
    tracker: address(language, 'tracker'),
    membership: address(language, 'membership'),
    market: address(language, 'market'),
    pay: address(language, 'pay'),
    merchant_key: publicKey(),
    title: words[`${page}_title`],
    ...words,
  };
  const fill = (template: string): string =>
    template
      .replaceAll(/\{\{> ([\w-]+)\}\}/g, (_, part: string) => fill(read('partials', `${part}.html`)))
      .replaceAll(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
        const value = values[name];
        if (value === undefined) throw new Error(`demo/pages/${page}.html asks for "${name}", which is in no locale.`);
        return value;
      });
  return fill(read('layout.html').replace('{{content}}', () => read('pages', `${page}.html`)));
}

const MARK = '# The demo site';

/**
 * The policy a careful merchant would set: no inline code or style, no eval, and DOM sinks only through the kit's own policy.
 * Live reload needs an inline script, so `npm run dev` goes without.
 */
function writeHeaders(site: string, sandbox: string): void {
  const file = path.join(site, '_headers');
  const kit = existsSync(file) ? (readFileSync(file, 'utf8').split(MARK)[0] ?? '').trimEnd() : '';
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${sandbox}`,
    // The marketplace's form, and our page that it ends on.
    `frame-src 'self' ${sandbox}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
  const rules = LANGUAGES.flatMap((language) =>
    pageNames().map(
      (page) =>
        `${address(language, page)}\n  Content-Security-Policy: ${policy}; trusted-types ${TRUSTED_TYPES[page] ?? "'none'"}\n  X-Content-Type-Options: nosniff\n  Referrer-Policy: strict-origin-when-cross-origin\n`,
    ),
  );
  writeFileSync(file, kit ? `${kit}\n\n` : '');
  appendFileSync(file, `${MARK}\n${process.env['VEZNE_DEV'] ? '' : rules.join('\n')}`);
}
