// @ts-check
// Writes the types of the package from the schemas of the contract, with their descriptions as comments: those of the
// merchant API, and what events of the elements carry. The package thus needs neither the contract nor zod.

import {compile} from 'json-schema-to-typescript';
import * as z from 'zod/mini';
import * as answers from '../../worker/contract/browser/answers.ts';
import {Subscription} from '../../worker/contract/browser/subscription-answers.ts';
import {ERROR_CODES, PAGE_ERROR_CODES} from '../../worker/contract/codes.ts';
import {Localized, Seller} from '../../worker/contract/fields.ts';
import {QueuedCommand} from '../../worker/contract/merchant/commands.ts';
import {endpoints} from '../../worker/contract/merchant/endpoints.ts';
import {MerchantEvent} from '../../worker/contract/merchant/events.ts';
import {PlatformWords} from '../../worker/contract/problem.ts';

/** @typedef {import('json-schema-to-typescript').JSONSchema} JsonSchema */
/**
 * The parts of a schema that are named here.
 * @typedef {{[name: string]: unknown, $ref?: string, $defs?: Record<string, Schema>, description?: string | undefined,
 *   examples?: unknown[], properties?: Record<string, unknown>, required?: string[]}} Schema
 */

/**
 * Prepares a schema, or a part of one, for the generator. Otherwise, `title` would name a type, and the lengths of a
 * list would make it a tuple. An example becomes part of the comment.
 * @param {unknown} value
 * @returns {unknown}
 */
function prepare(value) {
  if (Array.isArray(value)) return value.map(prepare);
  if (typeof value !== 'object' || value === null) return value;
  const {title: _, minItems: _min, maxItems: _max, examples, properties, ...rest} = /** @type {Schema} */ (value);
  // Otherwise, the type of an object without fields would allow any field.
  if (properties && Object.keys(properties).length === 0) return {...rest, tsType: 'Record<string, never>'};
  const example = examples && `Example: \`${JSON.stringify(examples[0])}\`.`;
  const description = [rest.description, example].filter(Boolean).join(' ');
  const prepared = Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, prepare(each)]));
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [
    name,
    rest.required?.includes(name) ? prepare(field) : orUndefined(prepare(field)),
  ]);
  return {...prepared, ...(description && {description}), ...(properties && {properties: Object.fromEntries(fields)})};
}

/** An optional field may be undefined, too, even in a project with `exactOptionalPropertyTypes`. @param {unknown} field */
function orUndefined(field) {
  const {description} = /** @type {Schema} */ (field);
  return {...(description && {description}), anyOf: [field, {tsType: 'undefined'}]};
}

/** Declares a type for each definition. @param {Record<string, unknown>} $defs */
async function declarations($defs) {
  // The generator declares what the root refers to.
  const properties = Object.fromEntries(Object.keys($defs).map((name) => [name, {$ref: `#/$defs/${name}`}]));
  const schema = /** @type {JsonSchema} */ (prepare({type: 'object', properties, $defs}));
  const style = {printWidth: 120, singleQuote: true, bracketSpacing: false};
  const text = await compile(schema, 'Contract', {bannerComment: '', additionalProperties: false, style});
  return text.replace(/export interface Contract \{[^]*?\n\}\n/, '');
}

/** The text of `data.ts`: what the events of the elements carry. */
export async function eventDataTypes() {
  /** @type {import('zod/v4/core').$ZodRegistry<{id?: string | undefined}>} */
  const registry = z.registry();
  const schemas = {
    Bank: answers.Bank,
    Localized: Localized(),
    OrderCode: answers.OrderCode,
    Payment: answers.Payment,
    PaymentNotice: answers.ShownPaymentNotice,
    PaymentTransaction: answers.Transaction,
    Seller: Seller(),
    Subscription,
  };
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, {id});
  const described = z.toJSONSchema(registry, {io: 'output', uri: (id) => `#/$defs/${id}`}).schemas;
  const $defs = Object.fromEntries(
    Object.entries(described).map(([name, {$schema: _schema, $id: _id, ...schema}]) => [name, schema]),
  );
  const PageErrorCode = {description: 'An error code that a page may receive.', enum: PAGE_ERROR_CODES};
  return `// Written by scripts/build/contract-types.mjs from worker/contract/browser/.

${await declarations({...$defs, PageErrorCode})}`;
}

/** The text of the client's `contract.ts`. */
export async function contractTypes() {
  /** @type {Record<string, Schema>} */
  const definitions = {};
  /**
   * Declares a type, and the types it refers to.
   * @param {string} name - The type's name if the schema itself is unnamed.
   * @param {z.ZodMiniType} type
   * @param {'input' | 'output'} io - Whether to describe what a caller sends or what it receives.
   * @param {string} [about] - The comment if the schema has no description.
   */
  const declare = (name, type, io, about) => {
    const {$defs = {}, $schema: _, ...schema} = /** @type {Schema} */ (z.toJSONSchema(type, {io}));
    const own = schema.$ref?.replace('#/$defs/', '') ?? name;
    const declared = schema.$ref ? $defs : {...$defs, [own]: {description: about, ...schema}};
    for (const [each, definition] of Object.entries(declared)) {
      if (each in definitions && JSON.stringify(definitions[each]) !== JSON.stringify(definition))
        throw new Error(`Two different types are named ${each}.`);
      definitions[each] = definition;
    }
    return {$ref: `#/$defs/${own}`};
  };
  /** @param {'Input' | 'Answer'} side */
  const table = (side) => {
    const entries = Object.entries(endpoints).map(([name, {input, docs}]) => {
      const own = `${name[0]?.toUpperCase()}${name.slice(1)}${side}`;
      const ref =
        side === 'Input'
          ? declare(own, input, 'input', docs.summary)
          : declare(own, docs.answer, 'output', docs.summary);
      return [name, ref];
    });
    return {type: 'object', properties: Object.fromEntries(entries), required: Object.keys(endpoints)};
  };
  const tables = {
    Inputs: {description: 'The input of each endpoint.', ...table('Input')},
    Answers: {description: 'The answer of each endpoint.', ...table('Answer')},
    ErrorCode: {description: 'The stable code of an error answer.', enum: ERROR_CODES},
  };
  declare('PlatformWords', PlatformWords, 'output');
  declare('QueuedCommand', QueuedCommand, 'output');
  const {$ref: event} = declare('Event', MerchantEvent, 'output');
  const $defs = {...definitions, ...tables};
  return `// Written by scripts/build/contract-types.mjs from worker/contract/merchant/.

${await declarations($defs)}
export type EndpointName = keyof Inputs;

/** An event, as listed by the event feed and sent by webhook. */
export type MerchantEvent = ${event.replace('#/$defs/', '')};
`;
}
