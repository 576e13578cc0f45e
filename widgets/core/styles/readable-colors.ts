/**
 * Keeps an element readable in the colors of a page. The accent as text, and text on the accent, become
 * darker or lighter where they could not be read. The console says once which colors of the page cannot be read.
 */

import {
  contrast,
  formatColor,
  MIN_CONTRAST,
  mix,
  readableColor,
  type Rgb,
  textColorOn,
} from '../../../worker/contract/readers/contrast.ts';

/** The colors that are read. The probe has each of them in a property of its own. */
const PROPERTIES = {
  accent: 'color',
  paper: 'background-color',
  tint: 'border-top-color',
  ground: 'border-right-color',
  'on-accent': 'border-bottom-color',
  ink: 'border-left-color',
  good: 'outline-color',
  bad: 'text-decoration-color',
  warn: 'column-rule-color',
} as const;
type ColorName = keyof typeof PROPERTIES;
type Colors = Readonly<Record<ColorName, Rgb>>;

const watched = new WeakSet<Node>();
const logged = new Set<string>();

/** Changes the colors of the element that cannot be read, now and whenever its colors change. */
export function watchColors(root: Node): void {
  if (watched.has(root)) return;
  watched.add(root);
  const probe = document.createElement('i');
  const {style} = probe;
  style.cssText = 'position:absolute;visibility:hidden;inline-size:0;block-size:0';
  // A browser that mixes colors then names red, green and blue, whatever the page has written.
  const isMixing = CSS.supports('color', 'color-mix(in srgb,red,red)');
  for (const [name, property] of Object.entries(PROPERTIES))
    style.setProperty(property, isMixing ? `color-mix(in srgb,var(--_${name}),var(--_${name}))` : `var(--_${name})`);
  // Nothing else tells of another color scheme, or of a class with other colors.
  style.setProperty(
    'transition',
    Object.values(PROPERTIES)
      .map((property) => `${property} 1ms`)
      .join(),
    'important',
  );
  const adjust = () => adjustColors(root as ShadowRoot, probe);
  probe.addEventListener('transitionend', adjust);
  root.appendChild(probe);
  adjust();
}

function adjustColors({host, firstElementChild: base}: ShadowRoot, probe: Element): void {
  const colors = readColors(probe, host);
  const {accent, paper, tint, ground, 'on-accent': onAccent} = colors;
  const ink = formatColor(readableColor(accent, () => [paper, tint, ground]));
  const isInk = ink === formatColor(accent);
  const isReadable = contrast(onAccent, accent) >= MIN_CONTRAST;
  const text = formatColor(textColorOn(accent));
  const {style} = base as HTMLElement;
  style.setProperty('--_link', isInk ? null : ink);
  style.setProperty('--_on-accent', isReadable ? null : text);
  const say = (name: ColorName, on: ColorName, end: string) => {
    const ratio = contrast(colors[name], colors[on]);
    const own = getComputedStyle(host);
    // A default that the page's other color has made unreadable is named with that color.
    const given = [name, on].find((each) => own.getPropertyValue(`--vezne-${each}`));
    if (ratio >= MIN_CONTRAST || !given) return;
    const note = `Vezne: --vezne-${name} (${formatColor(colors[name])}) cannot be read on --vezne-${on} (${formatColor(colors[on])}): ${ratio.toFixed(1)}:1. ${end}`;
    if (!logged.has(note)) console.warn(note);
    logged.add(note);
  };
  if (!isInk) say('accent', 'paper', `Its texts are shown in ${ink}.`);
  if (getComputedStyle(host).getPropertyValue('--vezne-on-accent'))
    say('on-accent', 'accent', `It is shown as ${text}.`);
  for (const name of ['ink', 'good', 'bad', 'warn'] as const) say(name, 'paper', `WCAG asks for ${MIN_CONTRAST}:1.`);
}

/** The colors of the element. What is transparent is as it looks in front of the page. */
function readColors(probe: Element, host: Element): Colors {
  const style = getComputedStyle(probe);
  const [paper, opacity] = parse(style.backgroundColor);
  const behind = opacity < 1 ? mix(backgroundOf(host), paper, opacity) : paper;
  const colors = Object.entries(PROPERTIES).map(([name, property]) => {
    const [color, share] = parse(style.getPropertyValue(property));
    return [name, name === 'paper' ? behind : mix(behind, color, share)];
  });
  return Object.fromEntries(colors) as Colors;
}

/** The background behind an element: that of the nearest element around it that has one. */
function backgroundOf(element: Element): Rgb {
  for (
    let node: Node | null = element;
    node;
    node = (node as Element).assignedSlot ?? node.parentNode ?? (node as ShadowRoot).host ?? null
  ) {
    if (!(node instanceof Element)) continue;
    const [rgb, opacity] = parse(getComputedStyle(node).backgroundColor);
    if (opacity === 1) return rgb;
  }
  return [255, 255, 255];
}

/** Reads `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)` and `color(srgb 0.1 0.2 0.3 / 0.5)`. */
function parse(color: string): readonly [rgb: Rgb, opacity: number] {
  const [red = 0, green = 0, blue = 0, opacity = 1] = (color.match(/-?[\d.]+(e-?\d+)?/g) ?? []).map(Number);
  const unit = color.startsWith('color(') ? 255 : 1;
  return [[red, green, blue].map((part) => Math.min(Math.max(part * unit, 0), 255)) as unknown as Rgb, opacity];
}
