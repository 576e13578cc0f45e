// @ts-check
// Writes the merchant API's types as one declaration file, with the contract's descriptions as comments. In the
// package, this file replaces merchant/contract.ts, which needs the contract's sources and zod. A test checks that both
// files declare the same types.

import * as z from 'zod';
import {ERROR_CODES} from '../../worker/contract/codes.ts';
import {describedEndpoints} from '../../worker/contract/merchant/descriptions.ts';
import {QueuedCommand} from '../../worker/contract/merchant/descriptions/commands.ts';
import {MerchantEvent} from '../../worker/contract/merchant/descriptions/events.ts';
import {PlatformWords} from '../../worker/contract/problem.ts';

/**
 * The subset of JSON Schema that zod produces for the contract.
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {unknown} [const]
 * @property {unknown[]} [enum]
 * @property {Schema[]} [anyOf]
 * @property {Schema[]} [oneOf]
 * @property {string | string[]} [type]
 * @property {Schema} [items]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {boolean | Schema} [additionalProperties]
 * @property {string} [description]
 * @property {unknown[]} [examples]
 * @property {Record<string, Schema>} [$defs]
 */

/**
 * @typedef {Map<string, string>} Declarations The declarations, by type name. A schema that is used several times has
 * one declaration.
 */

/** @param {string} name */
const capitalized = (name) => `${name[0]?.toUpperCase()}${name.slice(1)}`;

/** @param {string | undefined} text @param {string} indent */
const comment = (text, indent = '') => (text ? `${indent}/** ${text.replaceAll('*/', '*\u200b/')} */\n` : '');

/** @param {Schema} schema */
const commentText = ({description, examples: [example] = []}) =>
  [description, example !== undefined && `Example: \`${JSON.stringify(example)}\`.`].filter(Boolean).join(' ');

/**
 * The TypeScript type of a schema, as written after a colon.
 * @param {Schema} schema
 * @param {string} indent
 * @returns {string}
 */
function typeText(schema, indent) {
  const {$ref: ref, enum: values, anyOf, oneOf, type, items} = schema;
  if (ref) return ref.replace('#/$defs/', '');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (values) return unionText(values.map((value) => JSON.stringify(value)));
  const choices = anyOf ?? oneOf;
  if (choices) return unionText(choices.map((choice) => typeText(choice, indent)));
  if (Array.isArray(type)) return unionText(type.map((each) => typeText({...schema, type: each}, indent)));
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return `Array<${typeText(items ?? {}, indent)}>`;
    case 'object':
      return objectText(schema, indent);
    default:
      throw new Error(`This schema has no TypeScript type: ${JSON.stringify(schema)}`);
  }
}

/** @param {string[]} types */
const unionText = (types) => [...new Set(types)].join(' | ');

/** @param {Schema} schema @param {string} indent */
function objectText({properties = {}, required = [], additionalProperties}, indent) {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, field]) => {
    const type = typeText(field, inner);
    return `${comment(commentText(field), inner)}${inner}${name}${required.includes(name) ? `: ${type}` : `?: ${type} | undefined`};\n`;
  });
  if (lines.length > 0) return `{\n${lines.join('')}${indent}}`;
  return `Record<string, ${typeof additionalProperties === 'object' ? typeText(additionalProperties, indent) : 'never'}>`;
}

/**
 * Declares a schema and the schemas it refers to.
 * @param {Declarations} all
 * @param {string} name - The type's name if the schema itself is unnamed.
 * @param {z.ZodType} type
 * @param {'input' | 'output'} io - Whether to describe what a caller sends or what it receives.
 * @param {string} [about] - The comment if the schema has no description.
 * @returns {string} The declared type's name.
 */
function declareType(all, name, type, io, about) {
  const {$defs = {}, ...schema} = /** @type {Schema} */ (z.toJSONSchema(type, {io}));
  const own = schema.$ref?.replace('#/$defs/', '') ?? name;
  for (const [each, definition] of Object.entries(schema.$ref ? $defs : {...$defs, [own]: schema})) {
    const text = `${comment(commentText(definition) || (each === name ? about : undefined))}export type ${each} = ${typeText(definition, '')};\n`;
    if (all.has(each) && all.get(each) !== text) throw new Error(`Two different types are named ${each}.`);
    all.set(each, text);
  }
  return own;
}

/** The text of the package's `contract.d.ts`. */
export function writeContractTypes() {
  /** @type {Declarations} */
  const all = new Map();
  const rows = Object.entries(describedEndpoints).map(([name, row]) => ({
    name,
    input: declareType(all, `${capitalized(name)}Input`, row.input, 'input', row.summary),
    answer: declareType(all, `${capitalized(name)}Answer`, row.answer, 'output', row.summary),
  }));
  declareType(all, 'PlatformWords', PlatformWords, 'output');
  declareType(all, 'QueuedCommand', QueuedCommand, 'output');
  const event = declareType(all, 'MerchantEvent', MerchantEvent, 'output');
  const table = (/** @type {'input' | 'answer'} */ side) =>
    rows.map((row) => `  ${row.name}: ${row[side]};\n`).join('');
  return `${[...all.values()].join('\n')}
/** The stable code of an error answer. */
export type ErrorCode = ${unionText(ERROR_CODES.map((code) => JSON.stringify(code)))};

/** The input of each endpoint. */
export interface Inputs {
${table('input')}}

/** The answer of each endpoint. */
export interface Answers {
${table('answer')}}

export type EndpointName = keyof Inputs;

/** An event, as listed by the event feed and sent by webhook. */
export type MerchantEvent = ${event};
`;
}
