/** Tests what an element takes from the page and the browser: the color scheme, the language and the direction. */

import {expect} from '@open-wc/testing/pure';
import {emulateMedia} from '@web/test-runner-commands';
import {localeOf, type Locale} from '../../../widgets/core/locale.ts';
import {MANY_BANKS, bankList} from '../stub-worker/answers.ts';
import {SCRIPT, inside, openPage} from '../support/frame.ts';
import {find, show, until, untilText} from '../support/page.ts';
import {TestWorker} from '../support/test-worker.ts';

const LIGHT = 'rgb(255, 255, 255)';
const DARK = 'rgb(21, 31, 28)';

/** The background of an element and, in a checkout, of the bank list inside. */
function backgrounds(element: Element): Set<string> {
  const surfaces = [find(element, '.base'), find(element, '.bank') ?? find(element, '.base')];
  return new Set(surfaces.map((surface) => getComputedStyle(surface as Element).backgroundColor));
}

describe('the color scheme of an element', () => {
  before(() => emulateMedia({colorScheme: 'dark'}));
  after(() => emulateMedia({colorScheme: 'light'}));

  for (const {page, theme, expected} of [
    {page: '', theme: '', expected: LIGHT},
    {page: 'light dark', theme: '', expected: DARK},
    {page: 'light', theme: '', expected: LIGHT},
    {page: '', theme: 'dark', expected: DARK},
    {page: 'light dark', theme: 'light', expected: LIGHT},
    {page: '', theme: 'auto', expected: DARK},
  ])
    it(`is ${expected === DARK ? 'dark' : 'light'} on a dark device if the page’s color-scheme is “${page}” and the theme is “${theme}”`, async () => {
      const worker = await TestWorker.start();
      const at = `api="${worker.address}" theme="${theme}" lang="tr"`;
      const frame = await openPage({
        head: `${SCRIPT}<style>html {color-scheme: ${page || 'normal'}}</style>`,
        body: `<vezne-checkout ${at} offer="gold"></vezne-checkout>
          <vezne-pin-subscribe ${at} offer="club"></vezne-pin-subscribe>
          <vezne-subscription ${at} session="management"></vezne-subscription>`,
      });
      await untilText(await inside(frame, 'vezne-checkout'), 'Toros');
      for (const element of frame.contentDocument?.body.children ?? []) {
        await until('the element', () => find(element, '.base'));
        expect(backgrounds(element), element.localName).to.deep.equal(new Set([expected]));
      }
    });
});

/** The language on a page with this `lang`. */
function read(lang: string): Locale {
  const html = document.implementation.createHTMLDocument().documentElement;
  html.lang = lang;
  return localeOf(html);
}

describe('the language of an element', () => {
  const language = Object.getOwnPropertyDescriptor(Navigator.prototype, 'language') as PropertyDescriptor;
  afterEach(() => Object.defineProperty(Navigator.prototype, 'language', language));

  it('is what people mean with `lang`, and otherwise the browser’s', () => {
    const turkish = ['tr', 'TR', 'tr-TR', 'tr_TR', 'tr_TR.UTF-8', 'tr-Latn-TR', 'tur', 'TUR_tr', ' tr'];
    const english = ['en', 'EN', 'en-GB', 'en_US', 'eng', 'de', 'de_DE@euro', 'ar', 'trv', 'tru'];
    // The page around this says nothing else.
    const none = ['', ' ', 'undefined', 'null', 'C', 'x-default', '{{ lang }}', '1'];
    for (const browser of ['tr', 'en'] as const) {
      Object.defineProperty(Navigator.prototype, 'language', {...language, get: () => browser});
      expect(turkish.map(read)).to.deep.equal(turkish.map(() => 'tr'));
      expect(english.map(read)).to.deep.equal(english.map(() => 'en'));
      expect(none.map(read)).to.deep.equal(none.map(() => browser));
    }
    const page = show('<div lang="tr"><p lang=""><i lang="null"></i></p></div>');
    expect(localeOf(page.querySelector('i') as Element)).to.equal('tr');
  });

  it('is the browser’s if the page has no lang attribute, and Turkish if the browser names none', async () => {
    const worker = await TestWorker.start();
    const original = document.documentElement.getAttribute('lang');
    document.documentElement.removeAttribute('lang');
    try {
      for (const [browser, question] of [
        ['tr-TR', 'Hangi bankadan göndereceksiniz?'],
        ['en-GB', 'Which bank will you pay from?'],
        ['', 'Hangi bankadan göndereceksiniz?'],
      ] as const) {
        Object.defineProperty(Navigator.prototype, 'language', {...language, get: () => browser});
        await untilText(show(`<vezne-bank-list api="${worker.address}"></vezne-bank-list>`), question);
      }
    } finally {
      if (original !== null) document.documentElement.setAttribute('lang', original);
    }
  });
});

describe('the direction of an element', () => {
  it('is left to right, even on a right-to-left page, because both languages of the elements are', async () => {
    const worker = await TestWorker.start({banks: bankList(MANY_BANKS)});
    const page = show(`<div dir="rtl"><vezne-bank-list api="${worker.address}" lang="tr"></vezne-bank-list></div>`);
    await untilText(page, 'Toros');
    const base = find(page, '.base') as HTMLElement;
    expect([base.dir, getComputedStyle(base).direction]).to.deep.equal(['ltr', 'ltr']);
  });
});
