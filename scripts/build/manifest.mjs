// @ts-check
// Makes the custom elements manifest from the class comments and the properties of the elements.

import {readdirSync, readFileSync} from 'node:fs';
// @ts-expect-error The package does not declare the types of its exports.
import {create, ts} from '@custom-elements-manifest/analyzer';
// @ts-expect-error As above.
import {litPlugin} from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js';
import {repoPath} from '../lib/repo.mjs';

/** The elements that a page may use, without `vezne-`, each with the elements that its page script defines with it. */
export const PUBLIC_ELEMENTS = {
  checkout: ['bank-list'],
  'bank-list': [],
  'payment-code': ['bank-list'],
  'payment-status': [],
  'payment-notice': [],
  'pay-button': ['checkout', 'bank-list'],
  'pin-subscribe': [],
  'one-click': ['pin-subscribe'],
  subscription: [],
  'vendor-form': [],
  'refund-contact': [],
  activity: [],
};

/** Methods that a page may call. The other public methods are for parts of the elements. */
const METHODS = new Set(['focus', 'visit', 'record']);

/**
 * @typedef {{name: string, description?: string, type?: {text: string} | undefined, fieldName?: string, kind?: string,
 *   readonly?: boolean, default?: string}} Described
 * @typedef {{name: string, tagName: string, description: string, attributes: Described[], members: Described[],
 *   events: Described[], slots: Described[], cssParts: Described[], cssProperties: Described[]}} Element
 */

/** The name of an element in `PUBLIC_ELEMENTS`. @param {Pick<Element, 'tagName'>} element */
export const nameOf = ({tagName}) => tagName.slice('vezne-'.length);

/** What a page may use of the public elements. @returns {Element[]} */
export function publicElements() {
  const files = readdirSync(repoPath('widgets'), {recursive: true, encoding: 'utf8'});
  const modules = files
    .filter((file) => /\/vezne-[\w-]+\.ts$/.test(file))
    .map((file) => {
      const text = readFileSync(repoPath('widgets', file), 'utf8');
      return ts.createSourceFile(`widgets/${file}`, text, ts.ScriptTarget.ES2022, true);
    });
  /** @type {[Element, text: string][]} */
  const classes = create({modules, plugins: litPlugin()}).modules.flatMap(
    (/** @type {{path: string, declarations: Element[]}} */ {path, declarations}) => {
      const text = modules.find(({fileName}) => fileName === path)?.text;
      return declarations.map((declaration) => [declaration, text]);
    },
  );
  return Object.keys(PUBLIC_ELEMENTS).map((name) => {
    const [found, text] = classes.find(([{tagName}]) => tagName === `vezne-${name}`) ?? [];
    if (!found || !text) throw new Error(`No class has the tag vezne-${name}.`);
    return publicPart(found, text);
  });
}

/** @param {Element} found @param {string} text - The module of the class. @returns {Element} */
function publicPart({name, tagName, description, attributes, members, events, slots, cssParts, cssProperties}, text) {
  // The analyzer does not read properties that several elements share by `...`.
  for (const attribute of attributes) {
    const field = attribute.name.replaceAll(/-\w/g, ([, letter = '']) => letter.toUpperCase());
    if (members.some((member) => member.name === field)) attribute.fieldName = field;
  }
  // The analyzer does not read the defaults in the declarations of properties (`AttributeDeclaration`).
  const initials = new Map(
    Array.from(text.matchAll(/(\w+): \{[^{}]*\binitial: ('[^']*')/g), ([, field, initial]) => [field, initial]),
  );
  const withDefault = (/** @type {Described} */ described, field = described.name) =>
    Object.assign(described, {
      default: described.type?.text === 'boolean' ? 'false' : (initials.get(field) ?? "''"),
    });
  const attributeOf = (/** @type {Described} */ member) => attributes.find(({fieldName}) => fieldName === member.name);
  return {
    name,
    tagName,
    description,
    attributes: attributes.map((attribute) => withoutOrigin(withDefault(attribute, attribute.fieldName))),
    members: members
      .filter((member) => METHODS.has(member.name) || attributeOf(member))
      .map((member) => Object.assign(member, {type: member.type ?? attributeOf(member)?.type}))
      .map((member) => withoutOrigin(attributeOf(member) ? withDefault(member) : member)),
    // The analyzer also finds events under the names of the arguments with which they are dispatched.
    events: (events ?? []).filter((event) => event.name?.startsWith('vezne-')).map(withoutOrigin),
    slots: slots ?? [],
    cssParts: cssParts ?? [],
    cssProperties: cssProperties ?? [],
  };
}

/** @param {Described & {inheritedFrom?: unknown, privacy?: unknown}} described @returns {Described} */
function withoutOrigin({inheritedFrom: _inheritedFrom, privacy: _privacy, ...rest}) {
  return rest;
}

/** The text of `custom-elements.json`. @param {readonly Element[]} elements */
export function manifestText(elements) {
  const modules = elements.map((element) => {
    const module = `dist/page/elements/${nameOf(element)}.js`;
    const declaration = {name: element.name, module};
    return {
      kind: 'javascript-module',
      path: module,
      declarations: [{kind: 'class', customElement: true, superclass: {name: 'HTMLElement'}, ...element}],
      exports: [
        {kind: 'js', name: element.name, declaration},
        {kind: 'custom-element-definition', name: element.tagName, declaration},
      ],
    };
  });
  return `${JSON.stringify({schemaVersion: '1.0.0', readme: 'README.md', modules}, null, 1)}\n`;
}
