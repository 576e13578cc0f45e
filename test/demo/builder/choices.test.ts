/** The builder's choices, in the address and in the lines that people copy. */

import {describe, expect, test} from 'vitest';
import {type Choices, FORMATS, readChoices, writeChoices} from '../../../demo/builder/choices.ts';
import {readability} from '../../../demo/builder/contrast.ts';
import {TAGS} from '../../../demo/builder/elements.ts';
import {formatSnippet} from '../../../demo/builder/formats.ts';
import {htmlSnippet, policyHeader} from '../../../demo/builder/snippet.ts';

const lamp = {kind: 'payment', title: {tr: 'Lamba', en: 'Lamp'}} as const;
const club = {kind: 'subscription', title: {tr: 'Kulüp', en: 'Club'}} as const;
const OFFERS = {gold: lamp, club, brief: lamp};
const read = (query: string) => readChoices(new URLSearchParams(query), OFFERS);
const write = (choices: Choices) => writeChoices(choices, OFFERS);
const place = {
  worker: 'https://pay.example.com',
  platform: 'https://pages.platform.example',
  language: 'tr',
};
const EVERYTHING =
  '?offer=brief&lang=en&theme=dark&radius=4&density=0.8&font=serif&format=react&accent=ffcc00&fields=name,email';

describe('The address of the builder', () => {
  test('is without a query while everything is as usual, and has every other choice', () => {
    expect(write(read(''))).toBe('');
    expect(write(read(EVERYTHING))).toBe(EVERYTHING);
  });

  test('has the choices of a form, in which each field of the buyer is an entry of its own', () => {
    expect(write(read('?element=vezne-checkout&fields=name&fields=email'))).toBe('?fields=name,email');
  });

  test.each(TAGS)('of %s leads to the same choices', (element) => {
    const choices = read(`?element=${element}&theme=dark`);
    expect(read(write(choices))).toEqual(choices);
  });

  test('has a state only of the elements that have it', () => {
    expect(write(read('?state=overpaid'))).toBe('?state=overpaid');
    expect(write(read('?element=vezne-subscription&state=overpaid'))).toBe('?element=vezne-subscription');
  });

  test('cannot bring in what the form does not offer', () => {
    const query = new URLSearchParams({
      element: 'script',
      offer: '"><script>',
      accent: 'red;}',
      font: 'x',
      radius: '9e9',
      fields: 'iban',
    });
    expect(readChoices(query, OFFERS)).toEqual(read(''));
  });
});

describe('The lines for a page', () => {
  test('have the script with the offer, and an element with its sentence', () => {
    expect(htmlSnippet(read(''), place)).toBe(
      [
        '<link rel="stylesheet" href="https://pay.example.com/vezne.css">',
        '<script type="module" src="https://pay.example.com/checkout.js?offer=gold"></script>',
        '<vezne-checkout offer="gold"><span>Bu bölüm açılmazsa bizi arayın: 0850 000 00 00.</span></vezne-checkout>',
      ].join('\n'),
    );
  });

  test('have the chosen look in a style element, which the policy admits by its digest', async () => {
    const choices = read(EVERYTHING);
    const [, style, , element] = htmlSnippet(choices, place).split('\n');
    expect(style).toBe(
      "<style>vezne-checkout { --vezne-accent: #ffcc00; --vezne-radius: 4px; --vezne-density: 0.8; --vezne-font: Georgia, 'Times New Roman', serif; }</style>",
    );
    expect(element).toMatch(
      /^<vezne-checkout offer="brief-name-email" lang="en" theme="dark"><span>If nothing opens here/,
    );
    expect(await policyHeader(choices, place)).toMatch(/style-src https:\/\/pay\.example\.com 'sha256-[\w+/]{43}=';/);
  });

  test('name a pinned release with its digest, and no offer in the address, because a pinned file has no data', () => {
    expect(htmlSnippet(read(''), place, {version: '1.2.3', integrity: 'sha384-x'})).toContain(
      '<script type="module" src="https://pay.example.com/vezne/1.2.3/checkout.js" integrity="sha384-x" crossorigin></script>',
    );
  });

  test.each(FORMATS.filter((format) => format !== 'link'))('of the kind %s contain every element', (format) => {
    for (const element of TAGS) expect(formatSnippet(format, read(`?element=${element}`), place)).toContain(element);
  });

  test('for React and Vue take a session as a property, and the look as an object', () => {
    const choices = read('?element=vezne-subscription&accent=ffcc00');
    const react = formatSnippet('react', choices, place);
    expect(react).toContain('<vezne-subscription style={look} session={session}>');
    expect(react).toContain("const look = {'--vezne-accent': '#ffcc00'} as CSSProperties;");
    expect(formatSnippet('vue', choices, place)).toContain('<vezne-subscription :style="look" :session="session">');
  });

  test('are only a link for the tab of the link, which elements without an offer do not have', () => {
    expect(formatSnippet('link', read('?lang=en&fields=name'), place)).toBe(
      'https://pay.example.com/p/gold-name?lang=en',
    );
    expect(formatSnippet('link', read('?element=vezne-vendor-form'), place)).toBe('');
  });
});

test('the policy names only what the element needs', async () => {
  expect(await policyHeader(read('?element=vezne-activity'), place)).toBe(
    "Content-Security-Policy: default-src 'none'; script-src https://pay.example.com; connect-src https://pay.example.com wss://pay.example.com; require-trusted-types-for 'script'; trusted-types 'none'",
  );
  expect(await policyHeader(read('?element=vezne-vendor-form'), place)).toContain(
    'frame-src https://pay.example.com https://pages.platform.example; ',
  );
});

test.each([
  [21, 'good'],
  [4.5, 'good'],
  [4.49, 'large'],
  [3, 'large'],
  [2.99, 'bad'],
])('a contrast of %d is %s', (ratio, words) => {
  expect(readability(ratio)).toBe(words);
});
