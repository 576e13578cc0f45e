/** Every state of every element, in light and in dark, against the rules of WCAG; and none is wider than a phone, in either language. */

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

/** What is wrong with an element as it stands, in words. */
async function violations(element: Element): Promise<string[]> {
  const {violations: found} = await axe.run(element, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    // What a page around has to see to.
    rules: {
      region: {enabled: false},
      'landmark-one-main': {enabled: false},
      'page-has-heading-one': {enabled: false},
      'heading-order': {enabled: false},
    },
    resultTypes: ['violations'],
    iframes: false,
  });
  return found.flatMap(({id, nodes}) => nodes.map(({html, failureSummary}) => `${id}: ${html} ${failureSummary}`));
}

/** A phone of 360 px, less a page's margins. */
const PHONE = '328px';

/** What reaches out of an element on a phone, in either language. */
async function overhang(element: HTMLElement): Promise<string[]> {
  const place = element.parentElement as HTMLElement;
  place.style.inlineSize = PHONE;
  const found: string[] = [];
  for (const language of ['tr', 'en']) {
    element.lang = language;
    await new Promise(requestAnimationFrame);
    const edge = place.getBoundingClientRect().right + 0.5;
    const wide = findAll(element, '*').filter(
      (each) => each.getBoundingClientRect().right > edge && !each.closest('.visually-hidden'),
    );
    found.push(...wide.map(({outerHTML}) => `${language}: ${outerHTML.slice(0, 120)}`));
  }
  return found;
}

describe('is accessible:', () => {
  before(() => emulateMedia({reducedMotion: 'reduce'}));
  after(() => emulateMedia({colorScheme: 'light', reducedMotion: 'no-preference', forcedColors: 'none'}));

  for (const [name, {markup, isLinked, script, prepare, reach}] of Object.entries(STATES)) {
    it(`${name}, in light and in dark`, async () => {
      const worker = await TestWorker.start(script);
      if (isLinked) openedByLink();
      prepare?.();
      const element = show(markup.replace(' lang=', ` api="${worker.address}" lang=`));
      await emulateMedia({colorScheme: 'light'});
      await reach(element, worker);
      expect(await violations(element)).to.deep.equal([]);
      await emulateMedia({colorScheme: 'dark'});
      expect(await violations(element)).to.deep.equal([]);
      expect(await overhang(element)).to.deep.equal([]);
    });
  }

  it('stays in light where the page pins it, whatever the device prefers', async () => {
    const worker = await TestWorker.start();
    await emulateMedia({colorScheme: 'dark'});
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('vezne-checkout {color-scheme: light}');
    document.adoptedStyleSheets = [sheet];
    const element = show(checkout.replace(' lang=', ` api="${worker.address}" lang=`));
    await untilText(element, 'Çınar');
    openedByLink();
    const asking = show(checkout.replace(' lang=', ` api="${(await TestWorker.start()).address}" lang=`));
    await untilText(asking, 'sipariş açılsın mı?');
    const shown = [
      find(element, '.base'),
      find(element, '.bank'),
      find(find(asking, 'vezne-incoming') as Element, '.base'),
    ];
    const colors = shown.map((each) => getComputedStyle(each as Element).backgroundColor);
    document.adoptedStyleSheets = [];
    expect(colors).to.deep.equal(['rgb(255, 255, 255)', 'rgb(255, 255, 255)', 'rgb(255, 255, 255)']);
  });

  it('keeps what can be pressed visible in forced colours', async () => {
    const worker = await TestWorker.start();
    await emulateMedia({forcedColors: 'active'});
    const element = show(code.replace(' lang=', ` api="${worker.address}" lang=`));
    await untilText(element, 'Çınar');
    const button = find(element, 'button') as Element;
    expect(getComputedStyle(button).borderTopStyle).to.equal('solid');
    await emulateMedia({forcedColors: 'none'});
  });

  it('moves nothing for those who asked for that', async () => {
    const worker = await TestWorker.start();
    const element = show(status.replace(' lang=', ` api="${worker.address}" lang=`));
    const pulse = await until('the pulse', () => find(element, '.pulse'));
    expect(getComputedStyle(pulse).animationName).to.equal('none');
  });
});
