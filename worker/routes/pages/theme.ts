/**
 * The colors of an offer's page. A merchant gives one color, the accent. It is not refused if texts in this color could
 * not be read: it becomes darker on light pages, or lighter on dark pages, just as far as needed.
 */

import {html} from './html.ts';

export interface Theme {
  /** `#rrggbb` */
  readonly accent?: string | undefined;
  /** The only color scheme; by default that of the device. */
  readonly scheme?: 'light' | 'dark' | undefined;
}

type Rgb = readonly [red: number, green: number, blue: number];

const parseColor = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;

const formatColor = (color: Rgb) => `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

const mix = (color: Rgb, other: Rgb, share: number) =>
  color.map((part, at) => part + ((other[at] ?? 0) - part) * share) as unknown as Rgb;

/** The relative luminance of WCAG 2. */
function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const value = Math.round(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of WCAG 2: 1 to 21. */
export function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [a, b].map((hex) => luminance(parseColor(hex))).toSorted((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

/** What WCAG 2.2 AA asks for of text. */
const MIN_CONTRAST = 4.5;
const STEP = 0.02;
const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** The backgrounds of the elements (`widgets/core/styles/colors.styles.ts`) in both color schemes, and where to go. */
const SCHEMES = {
  light: {paper: '#ffffff', target: BLACK},
  dark: {paper: '#151f1c', target: WHITE},
} as const;

export interface AccentColors {
  readonly accent: string;
  /** The color of texts on the accent. */
  readonly onAccent: string;
}

/** The background of selected things, which the elements mix from accent and paper. */
export const tintOf = (accent: string, paper: string) => formatColor(mix(parseColor(paper), parseColor(accent), 0.1));

/** The color that is nearest to the merchant's and can be read on the scheme's backgrounds. */
export function accentColors(wanted: string, scheme: keyof typeof SCHEMES): AccentColors {
  const {paper, target} = SCHEMES[scheme];
  for (let share = 0; ; share += STEP) {
    const accent = formatColor(mix(parseColor(wanted), target, Math.min(share, 1)));
    const isReadable = [paper, tintOf(accent, paper)].every(
      (background) => contrast(accent, background) >= MIN_CONTRAST,
    );
    if (!isReadable && share < 1) continue;
    const onAccent = contrast('#ffffff', accent) >= contrast('#06120f', accent) ? '#ffffff' : '#06120f';
    return {accent, onAccent};
  }
}

/** The URL of the style sheet with an accent. It depends on the color alone, so that it names no offer. */
export const themeUrl = (accent: string) => `/theme/${accent.slice(1).toLowerCase()}.css`;

/** The style sheet of `themeUrl`. Browsers without `light-dark()` show the light colors. */
export function themeSheet(wanted: string): string {
  const [light, dark] = [accentColors(wanted, 'light'), accentColors(wanted, 'dark')];
  return `:root{--vezne-accent:${light.accent};--vezne-on-accent:${light.onAccent}}
@supports (color:light-dark(#000,#fff)){:root{--vezne-accent:light-dark(${light.accent},${dark.accent});--vezne-on-accent:light-dark(${light.onAccent},${dark.onAccent})}}
`;
}

const DEFAULT_ACCENT = '#0b6454';

/** The first letter of a name. */
export function initialOf(name: string): string {
  return [...new Intl.Segmenter('tr').segment(name.trim())][0]?.segment.toLocaleUpperCase('tr') ?? '';
}

/** The icon of the browser's tab: the seller's first letter on the accent, as a `data:` URL. */
export function icon(seller = '', wanted = DEFAULT_ACCENT): string {
  const {accent, onAccent} = accentColors(wanted, 'light');
  const {text} =
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${accent}"/><text x="16" y="22.5" text-anchor="middle" font-family="system-ui,sans-serif" font-size="19" font-weight="700" fill="${onAccent}">${initialOf(seller) || '₺'}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(text.toWellFormed())}`;
}
