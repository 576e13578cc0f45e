/** Every colour of the elements. A page replaces one as `--vezne-<name>`; the sheets use it as `--_<name>`. */

import {unsafeCSS, type CSSResult} from 'lit';

/** In light and in dark. */
const COLORS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  accent: ['#0b6454', '#62d2b6'],
  'on-accent': ['#fff', '#04241c'],
  ink: ['#14211d', '#ebf1ee'],
  paper: ['#fff', '#151f1c'],
  warn: ['#7a4a00', '#f4c97f'],
  'warn-tint': ['#fdf2df', '#33280f'],
  good: ['#0a7040', '#74dca0'],
  bad: ['#ae2219', '#ffa59c'],
};

/** So much of another colour on paper; who changes that one changes these with it. */
const MIXES: Readonly<Record<string, readonly [color: keyof typeof COLORS, percent: number]>> = {
  muted: ['ink', 70],
  edge: ['ink', 55],
  line: ['ink', 14],
  ground: ['ink', 4],
  tint: ['accent', 10],
  'bad-tint': ['bad', 8],
};

/** Declarations of all names of a table. Everything in them is written in this file, nothing comes from a page. */
function declare<T>(table: Readonly<Record<string, T>>, value: (row: T) => string): CSSResult {
  const declared = Object.entries(table).map(([name, row]) => `--_${name}:var(--vezne-${name},${value(row)});`);
  return unsafeCSS(declared.join(''));
}

/** For browsers that cannot tell light from dark within one value. */
export const lightColors = declare(COLORS, ([light]) => light);

export const schemeColors = declare(COLORS, ([light, dark]) => `light-dark(${light},${dark})`);

export const mixedColors = declare(
  MIXES,
  ([color, percent]) => `color-mix(in srgb,var(--_${color}) ${percent}%,var(--_paper))`,
);
