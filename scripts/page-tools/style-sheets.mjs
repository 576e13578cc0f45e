// @ts-check
// `vezne.css` beside the style sheets of others, and after tools that shorten or translate a page's styles: the page
// keeps its own look, and the skeleton stays as it is.

import {readFileSync, mkdtempSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {load, packageFile, versionOf} from './tools.mjs';

/** @typedef {import('playwright-core').Page} Page */

const TAGS = [
  'checkout',
  'bank-list',
  'payment-code',
  'payment-status',
  'payment-notice',
  'pay-button',
  'pin-subscribe',
  'one-click',
  'subscription',
  'vendor-form',
  'refund-contact',
].map((name) => `vezne-${name}`);
const STATES = ['', ' hidden', ' hidden="until-found"', ' theme="dark"', ' theme="auto"'];
const ELEMENTS = TAGS.flatMap((tag) =>
  STATES.map(
    (state) =>
      `<${tag}${state}><span>Call us.</span><a slot="paid" hidden href="/">Continue</a><b slot="no-script">Call us.</b></${tag}>`,
  ),
).join('\n');
const PAGE = `<!doctype html><html lang="en"><head><title>Lamp</title></head><body><h1>Lamp</h1><p>Two days. <a href="/">More</a></p><button>Buy</button><input>${ELEMENTS}</body></html>`;

/** What is drawn of each element at first, after five and after twenty seconds. Runs in the browser. */
async function readSkeletons() {
  const animations = document.getAnimations();
  for (const animation of animations) animation.pause();
  /** @type {string[]} */
  const drawn = [];
  for (const seconds of [0, 6, 21]) {
    for (const animation of animations) animation.currentTime = seconds * 1000;
    for (const element of document.querySelectorAll('body > *')) {
      if (!element.localName.startsWith('vezne-')) continue;
      for (const [node, pseudo] of [
        [element],
        [element, '::before'],
        ...[...element.children].map((child) => [child]),
      ]) {
        const style = getComputedStyle(/** @type {Element} */ (node), /** @type {string | undefined} */ (pseudo));
        drawn.push(
          [...style]
            .filter((name) => !/^animation|^-webkit|^--|^transition/.test(name))
            .map((name) => `${name}:${style.getPropertyValue(name)}`)
            .join(';'),
        );
      }
    }
  }
  return drawn;
}

/** The looks of everything on the page but our elements. Runs in the browser. */
function readRest() {
  return [...document.querySelectorAll('html, head, body, h1, p, p > a, body > button, body > input')].map(
    (element) => {
      const style = getComputedStyle(element);
      return [...style].map((name) => `${name}:${style.getPropertyValue(name)}`).join(';');
    },
  );
}

/** @param {string} css @returns {Promise<Record<string, string>>} The sheet after each tool. */
async function toolsOver(css) {
  const {PurgeCSS} = await load('purgecss');
  const {default: CleanCss} = await load('clean-css');
  const {transform} = await load('lightningcss');
  const old = {chrome: 103 << 16, firefox: 102 << 16, safari: (16 << 16) | (4 << 8)};
  const older = {chrome: 80 << 16, firefox: 78 << 16, safari: 13 << 16};
  const lightning = (/** @type {object} */ targets) =>
    transform({filename: 'vezne.css', code: Buffer.from(css), minify: true, targets}).code.toString();
  const [purged] = await new PurgeCSS().purge({content: [{raw: PAGE, extension: 'html'}], css: [{raw: css}]});
  return {
    [`PurgeCSS ${versionOf('purgecss')}`]: purged.css,
    [`clean-css ${versionOf('clean-css')}, level 1`]: new CleanCss({level: 1}).minify(css).styles,
    [`clean-css ${versionOf('clean-css')}, level 2`]: new CleanCss({level: 2}).minify(css).styles,
    [`Lightning CSS ${versionOf('lightningcss')} for Chrome 103, Firefox 102, Safari 16.4`]: lightning(old),
    [`Lightning CSS ${versionOf('lightningcss')} for Chrome 80, Firefox 78, Safari 13`]: lightning(older),
  };
}

/** The critical rules that Beasties writes into the page. @param {string} css @param {string} folder */
async function beasties(css, folder) {
  const {default: Beasties} = await load('beasties');
  writeFileSync(path.join(folder, 'vezne.css'), css);
  const made = await new Beasties({path: folder, logLevel: 'silent'}).process(
    PAGE.replace('</head>', '<link rel="stylesheet" href="/vezne.css"></head>'),
  );
  return [...made.matchAll(/<style[^>]*>([^]*?)<\/style>/g)].map(([, style]) => style).join('\n');
}

/** @param {Page} page @param {string} sheet @param {import('../page-tools.mjs').Report} report @param {string} folder */
export async function checkStyleSheets(page, sheet, report, folder) {
  const css = readFileSync(sheet, 'utf8');
  const open = async (/** @type {string} */ styles, html = PAGE) =>
    page.setContent(html.replace('</head>', `${styles}</head>`));
  const draw = async (/** @type {string} */ styles) => {
    await open(styles);
    return page.evaluate(readSkeletons);
  };
  const expected = await draw(`<style>${css}</style>`);
  const sheets = {
    ...(await toolsOver(css)),
    [`Beasties ${versionOf('beasties')}`]: await beasties(css, mkdtempSync(path.join(folder, 'beasties-'))),
  };
  for (const [name, made] of Object.entries(sheets)) {
    const drawn = await draw(`<style>${made}</style>`);
    const wrong = drawn.filter((each, index) => each !== expected[index]);
    report(
      `vezne.css after ${name}: ${drawn.length - wrong.length} of ${expected.length} boxes as before`,
      wrong.length === 0,
    );
    const at = drawn.findIndex((each, index) => each !== expected[index]);
    if (at >= 0) console.log(differences(expected[at] ?? '', drawn[at] ?? ''));
  }
  const {compile} = (await load('tailwindcss')).default;
  const tailwind = await compile('@import "tailwindcss"; @theme { --font-sans: "Courier Prime", monospace; }', {
    base: folder,
    loadStylesheet: async () => ({
      path: '',
      base: folder,
      content: readFileSync(packageFile('tailwindcss/index.css'), 'utf8'),
    }),
  });
  const others = {
    'no style sheet': '',
    [`Tailwind ${versionOf('tailwindcss')}`]: tailwind.build([]),
    [`Bootstrap ${versionOf('bootstrap')}`]: readFileSync(packageFile('bootstrap/dist/css/bootstrap.min.css'), 'utf8'),
    'a reset': '* {box-sizing: border-box; margin: 0; padding: 0; font: inherit} html {font: 18px Georgia}',
    'a layer': '@layer base {html {font-family: Georgia} h1 {font-family: Verdana}}',
  };
  for (const [name, other] of Object.entries(others)) {
    const looks = [];
    for (const styles of [
      `<style>${other}</style>`,
      `<style>${css}</style><style>${other}</style>`,
      `<style>${other}</style><style>${css}</style>`,
    ]) {
      await open(styles, PAGE.replace(ELEMENTS, ''));
      looks.push(JSON.stringify(await page.evaluate(readRest)));
    }
    report(`a page with ${name} looks the same with vezne.css before and after it`, new Set(looks).size === 1);
  }
}

/** @param {string} before @param {string} after */
function differences(before, after) {
  const old = before.split(';');
  return after
    .split(';')
    .filter((line) => !old.includes(line))
    .join('\n');
}
