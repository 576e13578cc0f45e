// @ts-check
// Pages with the scripts of others, as docs/pages.md says to use them: dialogs, carousels, forms, libraries that replace
// parts of a page, loaders, consent managers and pictures of a page.

import {createReadStream} from 'node:fs';
import {createServer} from 'node:http';
import {packageFile, versionOf} from './tools.mjs';

/** @typedef {import('playwright-core').Page} Page */

const ELEMENT = '<vezne-checkout offer="gold" lang="en"><span>Call us: 0850 000 00 00.</span></vezne-checkout>';
const CLUB = '<vezne-pin-subscribe offer="club" lang="en"></vezne-pin-subscribe>';

/** @param {string} file */
const script = (file, attributes = '') => `<script src="/tool/${file}"${attributes}></script>`;
const JQUERY = script('jquery/dist/jquery.min.js');

/**
 * @typedef {object} Row
 * @property {string} tool The package.
 * @property {string} what What has to be true, after the name of the tool.
 * @property {string} [head] After the lines of the kit.
 * @property {string} [first] Before the lines of the kit.
 * @property {string} [kit] In place of the lines of the kit.
 * @property {string} body
 * @property {string} [next] The body of the page /b.
 * @property {(page: Page) => Promise<unknown>} check True if it is as `what` says.
 */

const banks = (/** @type {Page} */ page) => page.getByRole('radio', {name: 'Ziraat'}).first();
const isShown = async (/** @type {Page} */ page) => {
  await banks(page).waitFor({timeout: 15_000});
  return true;
};
const chooseBank = (/** @type {Page} */ page) => page.getByText('Ziraat Bankası').first().click();
const isDefined = (/** @type {Page} */ page) => page.evaluate(() => !!customElements.get('vezne-checkout'));
const toNext = async (/** @type {Page} */ page) => {
  await page.getByRole('link', {name: 'Next'}).click();
  return isShown(page);
};
/** States of payments that `document` has heard. */
const COUNTER = `<script>var heard = []; document.addEventListener('vezne-payment', (event) => heard.push(event.payment.state))</script>`;
const hearsOnce = async (/** @type {Page} */ page) => {
  await page.locator('.slick-active, .owl-item.active').getByText('Ziraat Bankası').first().click();
  await page.waitForFunction('heard.length > 0');
  const elements = await page.locator('vezne-checkout').count();
  return elements > 1 && String(await page.evaluate('heard')) === 'waiting';
};
const LINK = '<a href="/b">Next</a>';
const visits = (/** @type {Page} */ page) =>
  page.evaluate(() => performance.getEntriesByType('resource').filter(({name}) => /v1\/activities/.test(name)).length);

/** @param {string} worker @returns {Row[]} */
const rows = (worker) => [
  {
    tool: 'focus-trap',
    what: 'keeps the focus with tabbableOptions.getShadowRoot',
    head: script('tabbable/dist/index.umd.js') + script('focus-trap/dist/focus-trap.umd.js'),
    body: `<div id="dialog" role="dialog">${ELEMENT}</div>`,
    check: async (page) =>
      (await isShown(page)) &&
      page.evaluate(() => {
        const {createFocusTrap} = /** @type {any} */ (window).focusTrap;
        createFocusTrap('#dialog', {tabbableOptions: {getShadowRoot: true}}).activate();
        return true;
      }),
  },
  {
    tool: 'sweetalert2',
    what: 'leaves Tab in the element with a listener that stops its propagation',
    head: script('sweetalert2/dist/sweetalert2.all.min.js'),
    body: '',
    check: async (page) => {
      await page.evaluate((html) => {
        void (/** @type {any} */ (window).Swal.fire({html}));
        document
          .querySelector('vezne-pin-subscribe')
          ?.addEventListener(
            'keydown',
            (event) => /** @type {KeyboardEvent} */ (event).key === 'Tab' && event.stopPropagation(),
          );
      }, CLUB);
      await page.locator('[name=number]').focus();
      await page.keyboard.press('Tab');
      return page.evaluate(() => document.activeElement?.localName === 'vezne-pin-subscribe');
    },
  },
  ...[
    {
      tool: 'slick-carousel',
      file: 'slick-carousel/slick/slick.min.js',
      sheet: 'slick-carousel/slick/slick.css',
      start: `slick({infinite: true})`,
    },
    {
      tool: 'owl.carousel',
      file: 'owl.carousel/dist/owl.carousel.min.js',
      sheet: 'owl.carousel/dist/assets/owl.carousel.min.css',
      start: `addClass('owl-carousel').owlCarousel({loop: true, items: 1})`,
    },
  ].map(({tool, file, sheet, start}) => ({
    tool,
    what: 'with copies of the slide: the page hears each state once',
    head: `<link rel="stylesheet" href="/tool/${sheet}">${JQUERY}${script(file)}${COUNTER}`,
    body: `<div class="slides"><div>${ELEMENT}</div><div>2</div></div><script>$.camelCase ??= (text) => text; $.type ??= (value) => (Array.isArray(value) ? 'array' : typeof value); $.isFunction ??= (f) => typeof f === 'function'; $('.slides').${start}</script>`,
    check: hearsOnce,
  })),
  {
    tool: 'magnific-popup',
    what: 'opened twice shows the same element',
    head: JQUERY + script('magnific-popup/dist/jquery.magnific-popup.min.js'),
    body: `<div id="popup" class="mfp-hide">${ELEMENT}</div><script>var open = () => $.magnificPopup.open({items: {src: '#popup', type: 'inline'}})</script>`,
    check: async (page) => {
      await page.evaluate('open()');
      await isShown(page);
      await page.evaluate('$.magnificPopup.close(); open()');
      return isShown(page);
    },
  },
  {
    tool: 'jquery',
    what: 'serialize() has the bank that the page has copied into a hidden field',
    head: JQUERY,
    body: `<form><vezne-bank-list name="bank" lang="en" offer="gold"></vezne-bank-list><input name="bank_copy" type="hidden"></form>
      <script>document.addEventListener('vezne-bank-select', ({bank}) => { document.querySelector('input[name=bank_copy]').value = bank.id; });</script>`,
    check: async (page) => {
      await chooseBank(page);
      return page.evaluate(
        () =>
          /bank_copy=./.test(/** @type {any} */ (window).$('form').serialize()) &&
          !!new FormData(/** @type {any} */ (document.querySelector('form'))).get('bank'),
      );
    },
  },
  {
    tool: 'htmx.org',
    what: 'shows the element of the next page',
    head: script('htmx.org/dist/htmx.min.js'),
    body: `<main hx-boost:inherited="true">${LINK}</main>`,
    next: ELEMENT,
    check: toNext,
  },
  {
    tool: '@hotwired/turbo',
    what: 'shows the element of the next page',
    head: script('@hotwired/turbo/dist/turbo.es2017-umd.js'),
    body: LINK,
    next: ELEMENT,
    check: toNext,
  },
  {
    tool: 'unpoly',
    what: 'shows the element of the next page',
    head: script('unpoly/unpoly.min.js'),
    body: `<main><a href="/b" up-follow>Next</a></main>`,
    next: `<main>${ELEMENT}</main>`,
    check: toNext,
  },
  {
    tool: 'pjax',
    what: 'shows the element of the next page',
    head: script('pjax/pjax.min.js'),
    body: `<main id="main">${LINK}</main><script>new Pjax({selectors: ['#main']})</script>`,
    next: `<main id="main">${ELEMENT}</main>`,
    check: toNext,
  },
  {
    tool: 'jquery-pjax',
    what: 'shows the element of the next page',
    head: `${JQUERY}<script>$.event.props ??= []; $.trim ??= (text) => text.trim(); $.isFunction ??= (f) => typeof f === 'function'; $.parseJSON ??= JSON.parse; $.isArray ??= Array.isArray</script>${script('jquery-pjax/jquery.pjax.js')}`,
    body: `<main id="main">${LINK}</main><script>$(document).pjax('a', '#main', {fragment: '#main'})</script>`,
    next: `<main id="main">${ELEMENT}</main>`,
    check: toNext,
  },
  {
    tool: 'instantclick',
    what: 'shows the element of the next page',
    body: `${LINK}${script('instantclick/instantclick.js', ' data-no-instant')}<script data-no-instant>InstantClick.init()</script>`,
    next: ELEMENT,
    check: toNext,
  },
  {
    tool: '@11ty/is-land',
    what: 'after the script of the kit leaves the element as it is',
    kit: `<script type="module" src="${worker}/checkout.js?offer=gold"></script>`,
    head: '<script type="module" src="/tool/@11ty/is-land/is-land.js"></script>',
    body: `<is-land on:interaction>${ELEMENT}</is-land>`,
    check: isShown,
  },
  ...['klaro', 'vanilla-cookieconsent'].map((tool) => ({
    tool,
    what: 'runs the tracker after the consent, and vezne.withdrawConsent() ends it',
    kit: '',
    head:
      tool === 'klaro'
        ? `<script>var klaroConfig = {lang: 'en', translations: {en: {}}, services: [{name: 'vezne', purposes: ['a'], callback: (yes) => yes || window.vezne?.withdrawConsent?.()}]};
           var accept = () => klaro.getManager().changeAll(true) && klaro.getManager().saveAndApplyConsents(); var withdraw = () => { klaro.getManager().changeAll(false); klaro.getManager().saveAndApplyConsents(); }</script>
           ${script('klaro/dist/klaro-no-css.js', ' data-config="klaroConfig"')}<script type="text/plain" data-type="module" data-name="vezne" data-src="${worker}/activity.js"></script>`
        : `${script('vanilla-cookieconsent/dist/cookieconsent.umd.js')}<script type="text/plain" data-category="vezne" data-type="module" data-src="${worker}/activity.js"></script>
           <script>var started = new Promise((resolve) => addEventListener('load', resolve)).then(() => CookieConsent.run({categories: {vezne: {}}, language: {default: 'en', translations: {en: {consentModal: {title: 'x', acceptAllBtn: 'Yes'}, preferencesModal: {sections: []}}}}, onChange: () => CookieConsent.acceptedCategory('vezne') || vezne.withdrawConsent()}));
           var accept = () => started.then(() => CookieConsent.acceptCategory('all')); var withdraw = () => CookieConsent.acceptCategory([])</script>`,
    body: `<vezne-activity offer="club"></vezne-activity><button data-vezne-track="subscribe_clicked">Join</button>`,
    check: async (/** @type {Page} */ page) => {
      if (await page.evaluate(() => !!customElements.get('vezne-activity'))) return 'the tracker ran before';
      await page.evaluate('accept()');
      await page.waitForFunction(() => customElements.get('vezne-activity'));
      await page.waitForFunction(() =>
        performance.getEntriesByType('resource').some(({name}) => /v1\/activities/.test(name)),
      );
      await page.evaluate('withdraw()');
      const before = await visits(page);
      await page.locator('[data-vezne-track]').evaluate((button) => /** @type {HTMLElement} */ (button).click());
      await page.waitForTimeout(1500);
      return (await visits(page)) === before;
    },
  })),
  ...['scriptjs', 'loadjs'].map((tool) => ({
    tool,
    what: 'runs no module: nothing is defined (docs/pages.md says to use a tag)',
    kit: '',
    head: script(tool === 'scriptjs' ? 'scriptjs/dist/script.min.js' : 'loadjs/dist/loadjs.min.js'),
    body: `${ELEMENT}<script>var done = new Promise((resolve) => ${tool === 'scriptjs' ? '$script' : 'loadjs'}('${worker}/checkout.js?offer=gold', ${tool === 'scriptjs' ? 'resolve' : '{success: resolve, error: resolve}'}))</script>`,
    check: async (/** @type {Page} */ page) => {
      await page.evaluate('done');
      return !(await isDefined(page));
    },
  })),
  {
    tool: 'es-module-shims',
    what: 'runs the script as type="module-shim"',
    kit: `<script type="module-shim" src="${worker}/checkout.js?offer=gold"></script>`,
    first: `<script>window.esmsInitOptions = {shimMode: true}</script>${script('es-module-shims/dist/es-module-shims.js')}`,
    body: ELEMENT,
    check: isShown,
  },
  {
    tool: '@webcomponents/scoped-custom-element-registry',
    what: 'before the kit: FormData has the bank',
    first: script('@webcomponents/scoped-custom-element-registry/scoped-custom-element-registry.min.js'),
    body: `<form><vezne-bank-list name="bank" lang="en" offer="gold"></vezne-bank-list></form>`,
    check: async (page) => {
      await chooseBank(page);
      return page.evaluate(() => !!new FormData(/** @type {any} */ (document.querySelector('form'))).get('bank'));
    },
  },
  {
    tool: '@webcomponents/webcomponentsjs',
    what: 'with its ES5 adapter before the kit',
    first: script('@webcomponents/webcomponentsjs/custom-elements-es5-adapter.js'),
    body: ELEMENT,
    check: isShown,
  },
  {
    tool: 'alpinejs',
    what: 'binds attributes',
    head: script('alpinejs/dist/cdn.min.js', ' defer'),
    body: `<div x-data="{offer: 'gold'}"><vezne-checkout :offer="offer" lang="en"></vezne-checkout></div>`,
    check: isShown,
  },
  {
    tool: 'riot',
    what: 'binds attributes, without a note on the console',
    head: script('riot/riot+compiler.min.js'),
    body: `<div id="app"></div><script>addEventListener('load', () => { riot.inject(riot.compileFromString('<x-shop><vezne-checkout offer={ state.offer } lang="en"></vezne-checkout><script>export default {state: {offer: "gold"}}</' + 'script></x-shop>').code, 'x-shop', 'x-shop.html'); document.querySelector('#app').innerHTML = '<x-shop></x-shop>'; riot.mount('x-shop') })</script>`,
    check: async (page) =>
      (await isShown(page)) &&
      page.evaluate(
        () => !(/** @type {any} */ (window).notes.some((/** @type {string} */ note) => /Vezne/.test(note))),
      ),
  },
  {
    tool: 'pagedjs',
    what: 'makes one element',
    kit: '',
    head: `<script>var made = 0; var define = customElements.define; customElements.define = function (name, base, ...rest) { return define.call(this, name, name === 'vezne-checkout' ? class extends base { constructor() { super(); made += 1; } } : base, ...rest) }</script><script type="module" src="${worker}/checkout.js?offer=gold"></script>${script('pagedjs/dist/paged.polyfill.js')}`,
    body: ELEMENT,
    check: async (page) => {
      await page.locator('.pagedjs_page vezne-checkout').waitFor();
      return (await page.evaluate('made')) === 1;
    },
  },
  ...[
    {tool: 'modern-screenshot', file: 'modern-screenshot/dist/index.js', take: 'modernScreenshot.domToPng(node)'},
    {
      tool: '@zumer/snapdom',
      file: '@zumer/snapdom/dist/snapdom.js',
      take: 'snapdom.toPng(node).then((image) => image.src)',
    },
  ].map(({tool, file, take}) => ({
    tool,
    what: 'takes a picture of an order code',
    head: script(file),
    body: ELEMENT,
    check: async (/** @type {Page} */ page) => {
      await chooseBank(page);
      await page.getByText('Enter only this as the description').waitFor();
      const faults = /** @type {any} */ (
        await page.evaluate(
          `(async () => { const node = document.querySelector('vezne-checkout'); const url = await ${take}; const image = new Image(); image.src = url; await image.decode(); return [image.width, image.height, url.length, notes]; })()`,
        )
      );
      return faults[2] > 20_000 || JSON.stringify(faults);
    },
  })),
];

/** The kit's lines, in the head of every page. @param {string} worker */
const lines = (worker) =>
  `<link rel="stylesheet" href="${worker}/vezne.css"><script type="module" src="${worker}/vezne.js"></script>`;
const NOTES = `<script>var notes = []; for (const kind of ['warn', 'error']) { const log = console[kind]; console[kind] = (...args) => { notes.push(args.join(' ')); log(...args); } } addEventListener('error', ({message}) => notes.push('uncaught ' + message)); addEventListener('unhandledrejection', ({reason}) => notes.push('unhandled ' + reason))</script>`;

/**
 * @param {import('playwright-core').Browser} browser
 * @param {import('../page-tools.mjs').Stack} stack
 * @param {import('../page-tools.mjs').Report} report
 */
export async function checkPages(browser, {shop, worker}, report) {
  let bodies = {a: '', b: ''};
  const {port, hostname} = new URL(shop.origin);
  const server = createServer(({url = '/'}, response) => {
    const [, file] = /^\/tool\/([^?]+)/.exec(url) ?? [];
    if (file) {
      response.setHeader('content-type', file.endsWith('.css') ? 'text/css' : 'text/javascript');
      return createReadStream(packageFile(file))
        .on('error', () => response.destroy())
        .pipe(response);
    }
    response.setHeader('content-type', 'text/html; charset=utf-8').end(url.startsWith('/b') ? bodies.b : bodies.a);
  });
  await new Promise((resolve) => server.listen(Number(port), hostname, () => resolve(undefined)));
  for (const {tool, what, head = '', first = '', kit = lines(worker), body, next = '', check} of rows(worker)) {
    const page = (content = '') =>
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>${NOTES}${first}${kit}${head}</head><body>${content}</body></html>`;
    bodies = {a: page(body), b: page(next)};
    const context = await browser.newContext({locale: 'en-US'});
    const tab = await context.newPage();
    tab.setDefaultTimeout(15_000);
    await tab.goto(`${shop.origin}/a`);
    const result = await check(tab).catch((error) => String(error).split('\n')[0]);
    const notes = await tab.evaluate('notes').catch(() => []);
    report(`${tool} ${versionOf(tool)} ${what}`, result === true);
    if (result !== true) console.log(`        ${result} ${JSON.stringify(notes).slice(0, 600)}`);
    await context.close();
  }
  server.close();
}
