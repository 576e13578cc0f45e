/** The contrast of colors (WCAG 2), and what a color becomes that could not be read. */

/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** What WCAG 2.2 AA asks for of text. */
export const MIN_CONTRAST = 4.5;
const STEP = 0.02;
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** Dark texts on a color are not pure black. */
const DARK: Rgb = [6, 18, 15];

/** @param hex - `#rrggbb` */
export const parseColor = (hex: string) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;

export const formatColor = (color: Rgb) =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

export const mix = (color: Rgb, other: Rgb, share: number) =>
  color.map((part, at) => Math.round(part + ((other[at] ?? 0) - part) * share)) as unknown as Rgb;

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const value = Math.round(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio: 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [first, second] = [luminance(a) + 0.05, luminance(b) + 0.05];
  return Math.max(first / second, second / first);
}

/** The background of selected things, which the elements mix from accent and paper. */
export const tintOf = (accent: Rgb, paper: Rgb) => mix(paper, accent, 0.1);

/**
 * The color that is nearest to the wanted one and can be read on all backgrounds: darker on light ones, or lighter on
 * dark ones, just as far as needed.
 * @param backgroundsOf - The backgrounds, of which the first is the paper. Some may depend on the color.
 */
export function readableColor(wanted: Rgb, backgroundsOf: (color: Rgb) => readonly [Rgb, ...Rgb[]]): Rgb {
  const [paper] = backgroundsOf(wanted);
  const target = contrast(WHITE, paper) > contrast(BLACK, paper) ? WHITE : BLACK;
  for (let share = 0; ; share += STEP) {
    const color = mix(wanted, target, Math.min(share, 1));
    if (share >= 1 || backgroundsOf(color).every((background) => contrast(color, background) >= MIN_CONTRAST))
      return color;
  }
}

/** The color of texts on a color: white, nearly black or, where neither can be read, black. */
export function textColorOn(color: Rgb): Rgb {
  const best = contrast(WHITE, color) >= contrast(DARK, color) ? WHITE : DARK;
  return contrast(best, color) < MIN_CONTRAST ? BLACK : best;
}
