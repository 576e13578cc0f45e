/**
 * Checks states of every element: each must meet WCAG in the light and the dark color scheme, must fit on a phone's
 * screen in both languages, must have buttons that are high enough for a finger, and must mark what is private for session
 * recorders. `npm run looks` checks all states, other runs check only the states in `SAMPLE`.
 */

import {expect} from '@open-wc/testing/pure';
import {emulateMedia, executeServerCommand} from '@web/test-runner-commands';
import '../../widgets/bundles/hosted.ts';
import '../../widgets/bundles/one-click.ts';
import '../../widgets/bundles/pin-subscribe.ts';
import '../../widgets/bundles/subscription.ts';
import {define} from '../../widgets/core/define.ts';
import {VezneRefundContact} from '../../widgets/refund/vezne-refund-contact.ts';
import {VezneVendorForm} from '../../widgets/vendor-form/vezne-vendor-form.ts';
import {PAYMENTS} from './stub-worker/answers.ts';
import {find, findAll, show, text, translate, until, untilText} from './support/page.ts';
import {chooseBank, press} from './support/shopper.ts';
import {checkout} from './support/states/checkout.ts';
import {code} from './support/states/payment-code.ts';
import {status} from './support/states/payment-status.ts';
import {openedByLink, type State} from './support/states/state.ts';
import {STATES} from './support/states/states.ts';
// The test runner generates this file and serves it.
// @ts-expect-error no such file
import {savesLooks} from './support/stub-origin.js';
import {TestWorker} from './support/test-worker.ts';
import {findViolations} from './support/violations.ts';
import {VIEWS} from './transfer/payment/payment-views.ts';

define(VezneVendorForm, VezneRefundContact);

/** A color scheme changes only colors, so only these rules have to run again. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** One or more states of every element, with all kinds of rows, fields, buttons and cards. */
const SAMPLE: ReadonlySet<string> = new Set([
  'a bank list with many banks',
  'a bank list without a match',
  'an order code',
  'an order code with its QR code',
  'an order code without a bank',
  'an order code that failed',
  'a payment that is partial',
  'a payment that is late',
  'a payment that is refunded',
  'a new checkout',
  'a checkout that asks about a link',
  'a checkout with an order code',
  'a checkout whose shopper has sent the money',
  'a checkout that checks a payment notice',
  'a checkout with money that could not be matched',
  'a subscription form that was sent empty',
  'a PIN form with a wrong PIN',
  'a subscription that has started',
  'a payment notice form that was sent empty',
  'a pay button after the shopper paid on the payment page and returned',
  'a subscription with the question whether to cancel it',
  'a human check before an order code',
  'a checkout whose form of the buyer has wrong fields',
  'a checkout whose form of the buyer is filled in',
  'an order that was started on another device',
  'a vendor form',
  'a vendor form that failed',
  'a refund form that was sent empty',
  'the summary of a refund',
  'a refund link that was used',
  'a number that the mobile network has recognized',
]);

/** Adds the Worker’s address to the elements of a markup. */
const withApi = (markup: string, {address}: TestWorker) =>
  markup.replaceAll(/<vezne-[a-z-]+(?=[ >])/g, (tag) => `${tag} api="${address}"`);

/** The width of a phone's screen (360 px), without the page's margins. */
const PHONE_WIDTH = '328px';

/** The nodes that are too wide for a phone, in both languages. */
async function findOverflow(element: HTMLElement): Promise<string[]> {
  const container = element.parentElement as HTMLElement;
  container.style.inlineSize = PHONE_WIDTH;
  const overflowing: string[] = [];
  for (const language of ['tr', 'en']) {
    element.lang = language;
    await new Promise(requestAnimationFrame);
    const edge = container.getBoundingClientRect().right + 0.5;
    const tooWide = findAll(element, '*').filter(
      (each) => each.getBoundingClientRect().right > edge && !each.closest('.visually-hidden'),
    );
    overflowing.push(...tooWide.map(({outerHTML}) => `${language}: ${outerHTML.slice(0, 120)}`));
  }
  return overflowing;
}

/** The text in English, and the same after the browser has translated the page between two languages of the element. */
async function textsAfterTranslation(element: HTMLElement): Promise<string[]> {
  const texts: string[] = [];
  for (const language of ['en', 'tr', 'en']) {
    element.lang = language;
    await new Promise(requestAnimationFrame);
    if (language === 'tr') translate(element);
    else texts.push(text(element).replace(/\d+:\d\d/g, '0:00'));
  }
  return texts;
}

/** Saves screenshots of an element in both languages and color schemes, on a phone and on a desktop. */
async function saveLooks(name: string, element: HTMLElement, {screen: only, again}: State): Promise<void> {
  const container = element.parentElement as HTMLElement;
  for (const [screen, width] of [
    ['phone', PHONE_WIDTH],
    ['desktop', '560px'],
  ] as const) {
    if (only && screen !== only) continue;
    container.style.inlineSize = width;
    await executeServerCommand('set-screen', screen);
    for (const language of ['tr', 'en']) {
      element.lang = language;
      await new Promise(requestAnimationFrame);
      await again?.(element);
      for (const colors of ['light', 'dark', ...(language === 'tr' ? ['forced'] : [])]) {
        const colorScheme = colors === 'dark' ? colors : 'light';
        await emulateMedia({colorScheme, forcedColors: colors === 'forced' ? 'active' : 'none'});
        await new Promise(requestAnimationFrame);
        await executeServerCommand('save-look', `${name.replace(/[^\w]+/g, '-')}-${screen}-${language}-${colors}`);
      }
    }
  }
  await executeServerCommand('set-screen', 'desktop');
}

/** The visible buttons that are too low for a finger, even if the page sets a small `--vezne-density`. */
function findLowButtons(element: HTMLElement): string[] {
  element.style.setProperty('--vezne-density', '0.5');
  // Turnstile renders its content itself, so it is left out.
  const low = findAll(element, 'button:not([slot=human-check] *)').filter((each) => {
    const {height} = each.getBoundingClientRect();
    return height > 0 && height < 44;
  });
  element.style.removeProperty('--vezne-density');
  return low.map(({outerHTML}) => outerHTML);
}

/** What a session recorder may not see: long numbers, IBANs, account holders and names, in any grouping. */
const PRIVATE_TEXT = /(?:\d\s?){8}|TR\d{2}|A\.Ş\.|Deniz Örnek/;

/**
 * The fields and private texts that are not marked for session recorders (`widgets/core/private.ts`). The seller's
 * contacts and the example of a number are not private.
 */
function findRecorded(element: HTMLElement): string[] {
  const fields = findAll(element, 'input, textarea, select').filter((field) => !field.closest('.rr-block'));
  const texts = findAll(element, '*')
    .filter((each) => each.children.length === 0 && !each.closest('.rr-block, .contacts, [id$=hint], style'))
    .map((each) => each.textContent);
  return [...fields.map(({outerHTML}) => outerHTML), ...texts.filter((each) => PRIVATE_TEXT.test(each))];
}

/**
 * The private texts, the sums and the names of banks that a browser would translate with the page: `closest` finds the
 * mark. A shopper copies or recognizes them.
 */
function findTranslatable(element: HTMLElement): string[] {
  const texts = findAll(element, '*')
    .filter((each) => !each.closest('[translate=no], .contacts, [id$=hint], style'))
    .filter(
      (each) =>
        (PRIVATE_TEXT.test(ownText(each)) && !each.matches('input, textarea')) ||
        each.matches('option:not([value=""]), .sum b, b.sum'),
    );
  return texts.map(({outerHTML}) => outerHTML);
}

/** The text of an element without that of its children. */
const ownText = ({childNodes}: Element) =>
  Array.from(childNodes, (node) => (node.nodeType === Node.TEXT_NODE ? node.nodeValue : '')).join('');

/** A color as relative luminance, as WCAG defines it. */
function luminance(color: string): number {
  const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = Array.from(canvas.getImageData(0, 0, 1, 1).data, (part) =>
    part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * The radio buttons and empty boxes whose edge is too faint, or too thin for a small one. axe checks only the contrast
 * of text.
 */
function findFaintEdges(element: HTMLElement): string[] {
  const base = find(element, '.base');
  const paper = base ? luminance(getComputedStyle(base).backgroundColor) : 0;
  const faint = findAll(element, '[type=radio], [type=checkbox]:not(:checked)').filter((choice) => {
    const {appearance, borderTopColor, borderTopWidth} = getComputedStyle(choice);
    const edge = luminance(borderTopColor);
    const contrast = (Math.max(edge, paper) + 0.05) / (Math.min(edge, paper) + 0.05);
    return (
      appearance !== 'none' || contrast < 3 || Number.parseFloat(borderTopWidth) < (choice.offsetHeight < 44 ? 2 : 1)
    );
  });
  return faint.map(({outerHTML}) => outerHTML);
}

describe('accessibility', () => {
  // The elements follow the page’s color scheme, and this page follows the device.
  before(() => document.documentElement.style.setProperty('color-scheme', 'light dark'));

  before(() => emulateMedia({reducedMotion: 'reduce'}));
  after(() => emulateMedia({colorScheme: 'light', forcedColors: 'none'}));

  it('every state in the sample exists', () => {
    expect([...SAMPLE].filter((name) => !(name in STATES))).to.deep.equal([]);
  });

  it('every view of a payment has a state that shows it', () => {
    expect(Object.values(VIEWS).filter(([name]) => !(name in STATES))).to.deep.equal([]);
  });

  let undo: (() => unknown) | void;
  afterEach(async () => {
    await undo?.();
    undo = undefined;
  });

  for (const [name, state] of Object.entries(STATES)) {
    const {markup, link, script, prepare, reach} = state;
    if (!savesLooks && !SAMPLE.has(name)) continue;
    it(`${name} has no WCAG violations, fits on a phone’s screen, has buttons of at least 44 px, marks what is private and what is not to be translated, and stays true after a translation`, async () => {
      const worker = await TestWorker.start(typeof script === 'function' ? script() : script);
      if (link) openedByLink(link);
      undo = prepare?.(worker);
      const element = show(withApi(markup, worker));
      await emulateMedia({colorScheme: 'light'});
      await reach(element, worker);
      expect(await findViolations(element)).to.deep.equal([]);
      await emulateMedia({colorScheme: 'dark'});
      expect(await findViolations(element, COLOR_RULES)).to.deep.equal([]);
      expect(findFaintEdges(element)).to.deep.equal([]);
      expect(await findOverflow(element)).to.deep.equal([]);
      expect(findLowButtons(element)).to.deep.equal([]);
      expect(findRecorded(element)).to.deep.equal([]);
      expect(findTranslatable(element)).to.deep.equal([]);
      const [untouched, translated] = await textsAfterTranslation(element);
      expect(translated).to.equal(untouched);
      if (savesLooks) await saveLooks(name, element, state);
    });
  }

  it('buttons have a border if the device forces its colors', async () => {
    const worker = await TestWorker.start();
    await emulateMedia({forcedColors: 'active'});
    const element = show(withApi(code, worker));
    await untilText(element, 'Çınar');
    const button = find(element, 'button') as Element;
    expect(getComputedStyle(button).borderTopStyle).to.equal('solid');
    await emulateMedia({forcedColors: 'none'});
  });

  it('the way of the money and the sign of its end are drawn in forced colors', async () => {
    const worker = await TestWorker.start();
    await emulateMedia({forcedColors: 'active', colorScheme: 'light'});
    const element = show(withApi(checkout, worker));
    await chooseBank(element, 'Toros');
    await press(element, 'Parayı gönderdim');
    await until('the line', () => find(element, '.line'));
    const [full, , empty] = findAll(element, '.line li').map((each) => getComputedStyle(each, '::before'));
    expect(full?.backgroundColor).to.not.equal(empty?.backgroundColor);
    await worker.send(PAYMENTS.paid);
    const sign = await until('the sign', () => find(element, '.good .sign'));
    expect(luminance(getComputedStyle(sign).borderTopColor)).to.be.lessThan(0.2);
    await emulateMedia({forcedColors: 'none'});
  });

  it('nothing in a payment status is animated if the shopper prefers reduced motion', async () => {
    const worker = await TestWorker.start();
    const element = show(withApi(status, worker));
    await until('the pulse', () => find(element, '.pulse'));
    const animated = findAll(element, '*').filter((each) => getComputedStyle(each).animationName !== 'none');
    expect(animated.map(({className}) => className)).to.deep.equal([]);
  });
});
