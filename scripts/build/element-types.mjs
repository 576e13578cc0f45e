// @ts-check
// Writes the types of the elements from the manifest, and the modules that define one element each.

import {nameOf, PUBLIC_ELEMENTS} from './manifest.mjs';

/** @typedef {import('./manifest.mjs').Element} Element */

/** @param {string | undefined} text @param {string} indent */
const comment = (text, indent) => (text ? `${indent}/** ${text.replaceAll('\n', `\n${indent} * `)} */\n` : '');

/**
 * The text of `elements.ts`: an interface for each element, and tables by tag name.
 * @param {readonly Element[]} elements
 */
export function elementTypes(elements) {
  /** @param {string} declaration @param {(element: Element) => string} type */
  const table = (declaration, type) =>
    `${declaration} {\n${elements.map((each) => `  '${each.tagName}': ${type(each)};\n`).join('')}}\n`;
  return `// Written by scripts/build/element-types.mjs from the class comments of the elements.

import type {VezneEvent} from '../events.ts';

export type * from '../events.ts';
export type * from './data.ts';

${elements.map(interfaceOf).join('\n')}
${table('/** The elements by their tag names. */\nexport interface VezneElements', ({name}) => name)}
export type VezneElementName = keyof VezneElements;

${table('/** The attributes of each element, as a framework passes them. */\nexport interface VezneAttributes', attributesOf)}
${table('/** The names of the events of each element. */\nexport interface VezneElementEvents', ({events}) => events.map(({name}) => `'${name}'`).join(' | '))}`;
}

/** @type {Record<string, string>} */
const METHODS = {visit: 'visit(): void', record: "record(type: VezneEvent<'vezne-activity'>['activity']): boolean"};

/** @param {Element} element */
function interfaceOf({name, description, members, tagName}) {
  const lines = members
    .filter((member) => member.name !== 'focus')
    .map(({name: member, type, readonly, description: about}) => {
      const field = `${readonly ? 'readonly ' : ''}${member}: ${type?.text ?? 'string'}`;
      return `${comment(about, '  ')}  ${METHODS[member] ?? field};\n`;
    });
  const lit = '  /** Resolves after the next rendering. */\n  readonly updateComplete: Promise<boolean>;\n';
  return `${comment(description, '')}export interface ${name} extends HTMLElement {\n${lines.join('')}${tagName === 'vezne-activity' ? '' : lit}}\n`;
}

/** @param {Element} element */
function attributesOf({attributes}) {
  const lines = attributes.map(({name, description, type: {text} = {text: 'string'}}) => {
    return `${comment(description, '    ')}    '${name}'?: ${text} | undefined;\n`;
  });
  return `{\n${lines.join('')}  }`;
}

/** The declarations of the module that defines an element. @param {Element} element */
export function moduleTypes({name, tagName}) {
  return `import type {${name} as Element} from '../index.js';

/** The class of \`${tagName}\`. Importing this module defines the element, but not on a server. */
export declare const ${name}: {new (): Element; readonly prototype: Element};
export type ${name} = Element;
`;
}

/** A page script loads the texts of the payment step in one language. An app has both before it defines its elements. */
const PAYMENT_TEXTS = `import {addTexts} from '/widgets/locales/payment.ts';
import {texts as en} from '/widgets/locales/payment/payment-en.ts';
import {texts as tr} from '/widgets/locales/payment/payment-tr.ts';
addTexts('tr', tr);
addTexts('en', en);
`;

/**
 * The source of the module that defines an element.
 * @param {Element} element
 * @param {string} file
 * @param {string} source - What the file contains.
 */
export function moduleSource({name, tagName}, file, source) {
  if (tagName === 'vezne-activity')
    return `import {defineActivity} from '${file}';
export {${name}} from '${file}';
defineActivity(new URL('/', document.baseURI).href);
`;
  const shown = /** @type {Record<string, readonly string[]>} */ (PUBLIC_ELEMENTS)[nameOf({tagName})] ?? [];
  return `import {define} from '/widgets/core/define.ts';
import {followHandoffLinks} from '/widgets/transfer/purchase/handoff-link.ts';
${shown.map((each) => `import './${each}.ts';\n`).join('')}import {${name}} from '${file}';
${/\bpaymentMessages\b/.test(source) ? PAYMENT_TEXTS : ''}export {${name}};
${file.includes('/transfer/') ? 'followHandoffLinks();' : ''}
define(${name});
`;
}
