/**
 * The colors of an offer's page. A merchant gives one color, the accent. It is not refused if texts in this color could
 * not be read: it becomes darker on light pages, or lighter on dark pages, just as far as needed.
 */

import {formatColor, parseColor, readableColor, textColorOn, tintOf} from '../../contract/readers/contrast.ts';
import {html} from './html.ts';

export interface Theme {
  /** `#rrggbb` */
  readonly accent?: string | undefined;
  /** The only color scheme; by default that of the device. */
  readonly scheme?: 'light' | 'dark' | undefined;
}

/** The backgrounds of the elements (`widgets/core/styles/colors.styles.ts`) in both color schemes. */
const PAPERS = {light: '#ffffff', dark: '#151f1c'} as const;

export interface AccentColors {
  readonly accent: string;
  /** The color of texts on the accent. */
  readonly onAccent: string;
}

/** The color that is nearest to the merchant's and can be read on the scheme's backgrounds. */
export function accentColors(wanted: string, scheme: keyof typeof PAPERS): AccentColors {
  const paper = parseColor(PAPERS[scheme]);
  const accent = readableColor(parseColor(wanted), (color) => [paper, tintOf(color, paper)]);
  return {accent: formatColor(accent), onAccent: formatColor(textColorOn(accent))};
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
