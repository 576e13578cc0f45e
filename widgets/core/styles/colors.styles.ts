/** All colors of the elements. A page overrides a color with `--vezne-<name>`; the style sheets use `--_<name>`. */

/** The base colors, for the light and the dark color scheme. */
const COLORS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  accent: ['#0b6454', '#62d2b6'],
  'on-accent': ['#fff', '#04241c'],
  ink: ['#14211d', '#ebf1ee'],
  paper: ['#fff', '#151f1c'],
  warn: ['#7a4a00', '#f4c97f'],
  'warn-tint': ['#fdf2df', '#33280f'],
  good: ['#0a7040', '#74dca0'],
  bad: ['#ae2219', '#ffa59c'],
  // Logos are made for a white background. In dark colors, pure white would be too bright.
  tile: ['#fff', '#d0d2d2'],
};

/**
 * Colors mixed from a base color and `paper`. They change when a page overrides the base color. Browsers without
 * `color-mix()` always show the last color of the row, which is visible on light and dark paper. An invalid color in a
 * custom property would be no color, also after a declaration with a valid one.
 */
const MIXES: Readonly<Record<string, readonly [color: keyof typeof COLORS, percent: number, plain: string]>> = {
  muted: ['ink', 70, 'var(--_ink)'],
  edge: ['ink', 55, '#888'],
  line: ['ink', 14, '#8884'],
  ground: ['ink', 4, '#8881'],
  tint: ['accent', 10, '#8882'],
  glow: ['accent', 30, '#8884'],
  'bad-tint': ['bad', 8, '#8882'],
};

/** The declarations for all rows of a table. */
function declare<T>(table: Readonly<Record<string, T>>, value: (row: T) => string): string {
  return Object.entries(table)
    .map(([name, row]) => `--_${name}:var(--vezne-${name},${value(row)});`)
    .join('');
}

/** The base colors for browsers without `light-dark()`. */
export const lightColors = declare(COLORS, ([light]) => light);

/** The mixed colors for browsers without `color-mix()`. */
export const plainColors = declare(MIXES, ([_color, _percent, plain]) => plain);

export const schemeColors = declare(COLORS, ([light, dark]) => `light-dark(${light},${dark})`);

export const mixedColors = declare(
  MIXES,
  ([color, percent]) => `color-mix(in srgb,var(--_${color}) ${percent}%,var(--_paper))`,
);
