/**
 * The lines for a page, made of the choices: the same tree becomes the snippet that the builder prints, and the elements
 * of the preview.
 */

import {en, tr} from '../locales/snippet.ts';
import {type Choices, DENSITY, FONTS, offerName, RADIUS} from './choices.ts';
import {rowOf} from './elements.ts';

/** An HTML element. An attribute without a value has the value `true`. */
export interface Node {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | true>>;
  readonly children: readonly (Node | string)[];
}

/** What the snippet needs to know beside the choices. */
export interface Place {
  /** Origin of the Worker. */
  readonly worker: string;
  /** Origin of the platform's pages; here, of the sandbox. */
  readonly platform: string;
  /** The language of the page. */
  readonly language: string;
}

/** A pinned script of a release. */
export interface Pin {
  readonly version: string;
  readonly integrity: string;
}

/** What the merchant's server writes into the page. The documents use the same text. */
const SESSION = 'eyJhbGciOiJIUzI1NiIs…';

const node = (tag: string, attributes: Node['attributes'], ...children: Node['children']): Node => ({
  tag,
  attributes,
  children,
});

/** The element itself, with its content before the script has run, and its content for later states. */
export function elementNode(choices: Choices, {worker, language}: Place): Node {
  const {element, lang, theme} = choices;
  const texts = (lang || language) === 'tr' ? tr : en;
  const attributes = {
    ...sourceAttribute(choices, worker),
    ...(lang && {lang}),
    ...(theme && {theme}),
  };
  return node(element, attributes, ...content(choices, texts));
}

function sourceAttribute(choices: Choices, worker: string): Record<string, string> {
  switch (rowOf(choices.element).source) {
    case 'payment':
    case 'subscription':
      return {offer: offerName(choices)};
    case 'session':
      return {session: SESSION};
    case 'link':
      return {link: `${worker}/r/Zk3v0pW8bT1yQm6XcR9dLgu2HsAe4N`};
  }
}

function content({element}: Choices, texts: typeof tr): Node['children'] {
  switch (element) {
    case 'vezne-activity':
      return [];
    case 'vezne-pay-button':
      return [node('span', {slot: 'no-script'}, texts.recipe_sentence)];
    case 'vezne-subscription':
      return [
        node('span', {slot: 'title'}, texts.recipe_title),
        node('a', {slot: 'cancelled', hidden: true, href: '/club'}, texts.recipe_again),
      ];
    case 'vezne-vendor-form':
      return [node('span', {slot: 'success', hidden: true}, texts.recipe_success)];
    default:
      return [node('span', {}, texts.recipe_sentence)];
  }
}

/** The chosen custom properties. */
export function lookProperties({accent, radius, density, font}: Choices): [name: string, value: string][] {
  const properties: [string, string][] = [];
  if (accent) properties.push(['--vezne-accent', accent]);
  if (radius !== RADIUS.usual) properties.push(['--vezne-radius', `${radius}px`]);
  if (density !== DENSITY.usual) properties.push(['--vezne-density', String(density)]);
  if (FONTS[font]) properties.push(['--vezne-font', FONTS[font]]);
  return properties;
}

/** The content of the style element, or an empty text if everything is as usual. */
export function lookStyle(choices: Choices): string {
  const properties = lookProperties(choices).map(([name, value]) => `${name}: ${value};`);
  return properties.length === 0 ? '' : `${choices.element} { ${properties.join(' ')} }`;
}

/** The address of the script, with the name of the offer whose data it contains. A pinned script has no data. */
export function scriptAddress(choices: Choices, worker: string, pin?: Pin): string {
  const {script, source} = rowOf(choices.element);
  if (pin) return `${worker}/vezne/${pin.version}/${script}.js`;
  const query = source === 'payment' || (source === 'subscription' && script !== 'activity');
  return `${worker}/${script}.js${query ? `?offer=${offerName(choices)}` : ''}`;
}

/** The lines for the page's HTML. */
export function htmlSnippet(choices: Choices, place: Place, pin?: Pin): string {
  return [...headNodes(choices, place, pin), elementNode(choices, place)].map(print).join('\n');
}

/** What may also stand in the page's head. `vezne-activity` shows nothing, so it needs no style sheet. */
export function headNodes(choices: Choices, {worker}: Place, pin?: Pin): Node[] {
  const style = lookStyle(choices);
  const shown = choices.element !== 'vezne-activity';
  return [
    ...(shown ? [node('link', {rel: 'stylesheet', href: `${worker}/vezne.css`})] : []),
    ...(shown && style ? [node('style', {}, style)] : []),
    node('script', {
      type: 'module',
      src: scriptAddress(choices, worker, pin),
      ...(pin && {integrity: pin.integrity, crossorigin: true}),
    }),
  ];
}

const VOID: ReadonlySet<string> = new Set(['link']);

/** A node as HTML. */
export function print({tag, attributes, children}: Node): string {
  const list = Object.entries(attributes).map(([name, value]) =>
    value === true ? ` ${name}` : ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
  );
  const start = `<${tag}${list.join('')}>`;
  if (VOID.has(tag)) return start;
  const inside = children.map((child) => (typeof child === 'string' ? printText(child, tag) : print(child)));
  return `${start}${inside.join('')}</${tag}>`;
}

/** The content of `style` is no HTML, so it has no entities. */
const printText = (text: string, tag: string) =>
  tag === 'style' ? text : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The header that a careful page sends with exactly this snippet. */
export async function policyHeader(choices: Choices, {worker, platform}: Place): Promise<string> {
  const {element} = choices;
  const {policy} = rowOf(element);
  const style = lookStyle(choices);
  const check =
    element === 'vezne-activity' || element === 'vezne-vendor-form' ? '' : ' https://challenges.cloudflare.com';
  const frames = [element === 'vezne-vendor-form' && `${worker} ${platform}`, check.trim()].filter(Boolean).join(' ');
  const types = [policy, check && 'vezne-human'].filter(Boolean).join(' ');
  const directives = [
    "default-src 'none'",
    `script-src ${worker}${check}`,
    element !== 'vezne-activity' && `style-src ${worker}${style && ` '${await digest(style)}'`}`,
    `connect-src ${worker} ${worker.replace(/^http/, 'ws')}`,
    element !== 'vezne-activity' && `img-src ${worker}`,
    frames && `frame-src ${frames}`,
    "require-trusted-types-for 'script'",
    `trusted-types ${types || "'none'"}`,
  ];
  return `Content-Security-Policy: ${directives.filter(Boolean).join('; ')}`;
}

/** The digest by which a policy admits a style element. */
async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return `sha256-${btoa(String.fromCharCode(...bytes))}`;
}
