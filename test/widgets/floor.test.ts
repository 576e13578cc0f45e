/**
 * What pages load works in the oldest engines of `docs/support.md`: Chromium 103, Firefox 102 and Safari 16.4. TypeScript
 * refuses newer methods of the language, because `widgets/tsconfig.json` has only those of ES2022.
 */

import {expect} from '@open-wc/testing/pure';
import type {CSSResultGroup} from 'lit';
import {themeSheet} from '../../worker/routes/pages/theme.ts';
import {ELEMENT_CLASSES} from './support/element-classes.ts';
import {TestWorker} from './support/test-worker.ts';

/** The style sheets of pages, with that of a payment link's color. */
const SHEETS: Readonly<Record<string, string>> = {
  ...import.meta.glob<string>('../../widgets/*.css', {eager: true, query: '?inline', import: 'default'}),
  '/theme/0b6454.css': themeSheet('#0b6454'),
};

/** Newer methods and syntax of browsers. A call with `?.(` is none that the others miss. */
const NEWER_CODE: Readonly<Record<string, RegExp>> = {
  'copying array methods': /\.(toSorted|toReversed|toSpliced)\(/,
  findLast: /\.findLast(Index)?\(/,
  grouping: /\b(Object|Map)\.groupBy\b/,
  sets: /\.(isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/,
  promises: /Promise\.(withResolvers|try)\b|Array\.fromAsync\b/,
  URLs: /URL\.(canParse|parse)\b/,
  signals: /AbortSignal\.any\b/,
  visibility: /\.checkVisibility\(/,
  popovers: /\.(showPopover|hidePopover|togglePopover)\(/,
  'view transitions': /\.startViewTransition\(/,
  'well-formed texts': /\.(isWellFormed|toWellFormed)\(/,
};

/** Colors that need a fallback. In a custom property, or beside one, an invalid color is no color. */
const NEWER_COLORS = /color-mix\(|light-dark\(|\b(lab|lch|oklab|oklch|color)\(/;
/** What a rule whose selector needs `:has()` may not decide. */
const VISIBLE = /(^|[;{\s])(border|outline|background|box-shadow|color)(-[\w-]+)?:/;
/** Syntax that makes older engines drop a rule. */
const NEWER_RULES = /@(scope|starting-style|position-try)\b|@media[^{]*[<>]|(^|[;{\s])(rotate|scale|translate):/;

/** What is wrong with a style sheet. */
function findNewer(css: string): string[] {
  const plain = css.replace(/\/\*[^]*?\*\//g, '');
  const found: string[] = [];
  const visit = (rules: CSSRuleList): void => {
    for (const rule of rules) {
      if (rule instanceof CSSSupportsRule) continue;
      if (rule instanceof CSSStyleRule) {
        const {selectorText, style, cssText} = rule;
        if (NEWER_COLORS.test(style.cssText)) found.push(`a color without a fallback: ${cssText}`);
        if (/:has\(/.test(selectorText) && VISIBLE.test(style.cssText)) found.push(`:has(): ${cssText}`);
        if (rule.cssRules.length > 0) found.push(`nesting: ${cssText}`);
      } else if ('cssRules' in rule) visit(rule.cssRules as CSSRuleList);
    }
  };
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(plain);
  visit(sheet.cssRules);
  return [...found, ...(NEWER_RULES.exec(plain.replace(/@supports[^{]*\{/g, '')) ?? []).slice(0, 1)];
}

const textsOf = (styles: CSSResultGroup): string[] =>
  [styles].flat(Infinity as 1).map((each) => (each as {cssText: string}).cssText);

describe('what pages load', () => {
  it('calls no newer method', async () => {
    const {address} = await TestWorker.start();
    const {releases} = (await (await fetch(`${address}/vezne/releases.json`)).json()) as {
      releases: {version: string; files: object}[];
    };
    const {version = '', files = {}} = releases.at(-1) ?? {};
    const names = Object.keys(files).filter((name) => name.endsWith('.js'));
    expect(names).to.include('checkout.js');
    const found = await Promise.all(
      ['vezne.js', 'page.js', ...names.map((name) => `vezne/${version}/${name}`)].map(async (name) => {
        const code = await (await fetch(`${address}/${name}`)).text();
        return Object.entries(NEWER_CODE).flatMap(([what, pattern]) => (pattern.test(code) ? `${name}: ${what}` : []));
      }),
    );
    expect(found.flat()).to.deep.equal([]);
  });

  it('has a color for each color of newer engines, and marks nothing with `:has()` alone', () => {
    for (const {tag, styles} of ELEMENT_CLASSES) expect(textsOf(styles).flatMap(findNewer), tag).to.deep.equal([]);
    expect(Object.keys(SHEETS).map((name) => name.replace(/.*\//, ''))).to.deep.equal([
      'page.css',
      'vezne.css',
      '0b6454.css',
    ]);
    for (const [name, css] of Object.entries(SHEETS)) expect(findNewer(css), name).to.deep.equal([]);
  });

  it('finds what is newer', () => {
    for (const css of [
      'a {color: color-mix(in srgb, red, blue)}',
      'a {--line: light-dark(#fff, #000)}',
      'a:has(b) {border: 1px solid}',
      'a {b {margin: 0}}',
      'a {rotate: 1turn}',
      '@media (width < 3em) {a {margin: 0}}',
    ])
      expect(findNewer(css), css).to.have.length(1);
    expect(
      findNewer('a {margin: 0} @supports (color: light-dark(red, red)) {a {color: light-dark(red, red)}}'),
    ).to.deep.equal([]);
  });
});
