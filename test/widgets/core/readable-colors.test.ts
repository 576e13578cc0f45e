/** The colors of a page's brand, and what the elements make of them. */

import {expect} from '@open-wc/testing/pure';
import '../../../widgets/bundles/transfer.ts';
import {contrast, type Rgb} from '../../../worker/contract/readers/contrast.ts';
import {findAll, show, until, untilText} from '../support/page.ts';
import {chooseBank} from '../support/shopper.ts';
import {TestWorker} from '../support/test-worker.ts';

const canvas = document
  .createElement('canvas')
  .getContext('2d', {willReadFrequently: true}) as CanvasRenderingContext2D;

function rgbOf(color: string): Rgb {
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3) as unknown as Rgb;
}

/** The colors that are seen: a text, and the nearest background behind it. */
function contrastOf(element: Element): number {
  let behind: Element | null = element;
  while (behind && /rgba\(.*, 0\)/.test(getComputedStyle(behind).backgroundColor))
    behind = behind.parentElement ?? (behind.getRootNode() as ShadowRoot).host;
  return contrast(rgbOf(getComputedStyle(element).color), rgbOf(getComputedStyle(behind as Element).backgroundColor));
}

const shown = (element: Element): Element[] =>
  findAll(element, '.button, .link, .copy').filter((each) => each.getClientRects().length > 0);

/** Accents that could not be read in one of the color schemes, or in both. */
const ACCENTS = ['#ffcc00', '#7a3b12', '#ffffff', '#000000', '#808080', '#e91e63', '#00e5ff', 'oklch(0.8 0.15 90)'];

describe('the colors of a brand', () => {
  for (const theme of ['light', 'dark'])
    it(`leave buttons and links readable, whatever the accent is, in ${theme} colors`, async () => {
      const worker = await TestWorker.start();
      const element = await show(
        `<vezne-checkout offer="gold" lang="en" theme="${theme}" api="${worker.address}" style="--vezne-accent:#0b5cad"></vezne-checkout>`,
      );
      await chooseBank(element, 'Toros');
      await untilText(element, 'Enter only this as the description');
      const texts = () => shown(element);
      expect(texts().length).to.be.greaterThan(3);
      for (const accent of ACCENTS) {
        element.style.setProperty('--vezne-accent', accent);
        // The elements learn of the new color from a transition.
        await until(`${accent} is readable in ${theme}`, () => texts().every((each) => contrastOf(each) >= 4.5));
      }
    });

  it('are named on the console once, if one of them cannot be read', async () => {
    const {warn} = console;
    const notes: unknown[] = [];
    console.warn = (note: unknown) => notes.push(note);
    const worker = await TestWorker.start();
    const colors = '--vezne-accent:#fd0;--vezne-on-accent:#fff;--vezne-ink:#999';
    for (const offer of ['gold', 'silver'])
      await show(
        `<vezne-bank-list offer="${offer}" lang="en" theme="light" api="${worker.address}" style="${colors}"></vezne-bank-list>`,
      );
    await until('three notes', () => notes.length >= 3);
    console.warn = warn;
    expect(notes).to.deep.equal([
      'Vezne: --vezne-accent (#ffdd00) cannot be read on --vezne-paper (#ffffff): 1.3:1. Its texts are shown in #857300.',
      'Vezne: --vezne-on-accent (#ffffff) cannot be read on --vezne-accent (#ffdd00): 1.3:1. It is shown as #06120f.',
      'Vezne: --vezne-ink (#999999) cannot be read on --vezne-paper (#ffffff): 2.8:1. WCAG asks for 4.5:1.',
    ]);
  });
});
