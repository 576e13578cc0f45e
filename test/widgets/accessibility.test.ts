/** Checks every state of every element: WCAG in light and dark, the width of a phone in both languages, buttons. */

import 'axe-core/axe.min.js';
import {expect} from '@open-wc/testing';
import {emulateMedia} from '@web/test-runner-commands';
import type axeCore from 'axe-core';
import '../../widgets/bundles/hosted.ts';
import '../../widgets/bundles/one-click.ts';
import '../../widgets/bundles/pin-subscribe.ts';
import '../../widgets/bundles/subscription.ts';
import '../../widgets/bundles/vendor-form.ts';
import {find, findAll, show, until, untilText} from './support/page.ts';
import {STATES, checkout, code, status, openedByLink} from './support/states.ts';
import {TestWorker} from './support/test-worker.ts';

const {axe} = globalThis as unknown as {axe: typeof axeCore};

/** The WCAG violations of an element in its current state. */
async function findViolations(element: Element): Promise<string[]> {
  const {violations} = await axe.run(element, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    // These rules concern the page around the element.
    rules: {
      region: {enabled: false},
      'landmark-one-main': {enabled: false},
      'page-has-heading-one': {enabled: false},
      'heading-order': {enabled: false},
    },
    resultTypes: ['violations'],
    iframes: false,
  });
  return violations.flatMap(({id, nodes}) => nodes.map(({html, failureSummary}) => `${id}: ${html} ${failureSummary}`));
}

/** The width of a 360 px phone, less the page's margins. */
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

/** The visible buttons that are too low for a finger, also where the page makes the elements tight. */
function findLowButtons(element: HTMLElement): string[] {
  element.style.setProperty('--vezne-density', '0.5');
  // Turnstile's own content is not ours.
  const low = findAll(element, 'button:not([slot=human-check] *)').filter((each) => {
    const {height} = each.getBoundingClientRect();
    return height > 0 && height < 44;
  });
  element.style.removeProperty('--vezne-density');
  return low.map(({outerHTML}) => outerHTML);
}

describe('accessibility', () => {
  before(() => emulateMedia({reducedMotion: 'reduce'}));
  after(() => emulateMedia({colorScheme: 'light', reducedMotion: 'no-preference', forcedColors: 'none'}));

  for (const [name, {markup, isLinked, script, prepare, reach}] of Object.entries(STATES)) {
    it(`${name} has no violations, fits a phone and has buttons that are 44 px high`, async () => {
      const worker = await TestWorker.start(script);
      if (isLinked) openedByLink();
      prepare?.();
      const element = show(markup.replace(' lang=', ` api="${worker.address}" lang=`));
      await emulateMedia({colorScheme: 'light'});
      await reach(element, worker);
      expect(await findViolations(element)).to.deep.equal([]);
      await emulateMedia({colorScheme: 'dark'});
      expect(await findViolations(element)).to.deep.equal([]);
      expect(await findOverflow(element)).to.deep.equal([]);
      expect(findLowButtons(element)).to.deep.equal([]);
    });
  }

  it('an element stays light if the page sets its colour scheme, whatever the device prefers', async () => {
    const worker = await TestWorker.start();
    await emulateMedia({colorScheme: 'dark'});
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('vezne-checkout {color-scheme: light}');
    document.adoptedStyleSheets = [sheet];
    const element = show(checkout.replace(' lang=', ` api="${worker.address}" lang=`));
    await untilText(element, 'Çınar');
    openedByLink();
    const linked = show(checkout.replace(' lang=', ` api="${(await TestWorker.start()).address}" lang=`));
    await untilText(linked, 'sipariş açılsın mı?');
    const surfaces = [
      find(element, '.base'),
      find(element, '.bank'),
      find(find(linked, 'vezne-incoming') as Element, '.base'),
    ];
    const colors = surfaces.map((surface) => getComputedStyle(surface as Element).backgroundColor);
    document.adoptedStyleSheets = [];
    expect(colors).to.deep.equal(['rgb(255, 255, 255)', 'rgb(255, 255, 255)', 'rgb(255, 255, 255)']);
  });

  it('buttons have a border in forced colours', async () => {
    const worker = await TestWorker.start();
    await emulateMedia({forcedColors: 'active'});
    const element = show(code.replace(' lang=', ` api="${worker.address}" lang=`));
    await untilText(element, 'Çınar');
    const button = find(element, 'button') as Element;
    expect(getComputedStyle(button).borderTopStyle).to.equal('solid');
    await emulateMedia({forcedColors: 'none'});
  });

  it('nothing is animated if the shopper prefers reduced motion', async () => {
    const worker = await TestWorker.start();
    const element = show(status.replace(' lang=', ` api="${worker.address}" lang=`));
    const pulse = await until('the pulse', () => find(element, '.pulse'));
    expect(getComputedStyle(pulse).animationName).to.equal('none');
  });
});
