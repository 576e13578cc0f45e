/** Converts a JSON Schema to the description of a value that the API page shows. */

import type {ApiDocument, Schema} from './document.ts';

export interface Limits {
  readonly characters?: Range;
  readonly items?: Range;
  readonly value?: Range;
  readonly pattern?: string;
}

export interface Range {
  readonly min?: number;
  readonly max?: number;
}

export interface Shape {
  /** The type in TypeScript notation: `string`, `integer | null`, `"visit" | "click"`, `string[]`. */
  readonly type: string;
  readonly description?: string | undefined;
  readonly example?: unknown;
  /** The limits of each variant of the value. */
  readonly limits: readonly Limits[];
  /** The fields of an object, or of the items of a list. */
  readonly fields: readonly Field[];
  /** The variants of a value that can be one of several objects; empty for any other value. */
  readonly variants: readonly {readonly title: string; readonly fields: readonly Field[]}[];
}

export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly shape: Shape;
}

export function shapeOf(schema: Schema, document: ApiDocument): Shape {
  const {description, examples} = schema;
  const variants = variantsOf(schema, document);
  const objects = variants
    .map((variant) => itemsOf(variant, document))
    .filter(({properties}) => properties !== undefined);
  const several = objects.length > 1;
  return {
    type: [...new Set(variants.map((variant) => typeOf(variant, document)))].join(' | '),
    description: description ?? variants.find((variant) => variant.description !== undefined)?.description,
    example: [schema, ...variants].flatMap((variant) => variant.examples ?? [])[0] ?? examples?.[0],
    limits: variants.map(limitsOf).filter((limits) => Object.keys(limits).length > 0),
    fields: several ? [] : objects.flatMap((object) => fieldsOf(object, document)),
    variants: several ? objects.map((object) => ({title: titleOf(object), fields: fieldsOf(object, document)})) : [],
  };
}

/** Lists all variants of a value. No listed variant has variants itself. */
function variantsOf(schema: Schema, document: ApiDocument): Schema[] {
  const resolved = document.follow(schema) as Schema;
  const inner = resolved.anyOf ?? resolved.oneOf;
  if (inner) return inner.flatMap((variant) => variantsOf(variant, document));
  if (typeof resolved.type === 'object') return resolved.type.map((type) => ({...resolved, type}));
  return [resolved];
}

function itemsOf(schema: Schema, document: ApiDocument): Schema {
  return schema.items ? (document.follow(schema.items) as Schema) : schema;
}

function typeOf(schema: Schema, document: ApiDocument): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.items) {
    const {type} = shapeOf(schema.items, document);
    return type.includes(' | ') ? `(${type})[]` : `${type}[]`;
  }
  const type = String(schema.type ?? 'any');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

function limitsOf(schema: Schema): Limits {
  if (schema.type === 'null') return {};
  const {minLength, maxLength, minItems, maxItems, exclusiveMinimum, pattern, format} = schema;
  const characters = range(minLength, maxLength);
  const items = range(minItems, maxItems);
  const value = range(realLimit(schema.minimum) ?? exclusiveMinimum, realLimit(schema.maximum));
  return {
    ...(characters && {characters}),
    ...(items && {items}),
    ...(value && {value}),
    // A named format already describes the pattern.
    ...(pattern !== undefined && format === undefined && {pattern}),
  };
}

function range(min: number | undefined, max: number | undefined): Range | undefined {
  if (min === undefined && max === undefined) return undefined;
  return {...(min !== undefined && {min}), ...(max !== undefined && {max})};
}

/** Drops the smallest and the largest safe integer. They are not limits of the API; the schema generator adds them. */
function realLimit(limit: number | undefined): number | undefined {
  return limit !== undefined && Number.isSafeInteger(limit) && Math.abs(limit) !== Number.MAX_SAFE_INTEGER
    ? limit
    : undefined;
}

function fieldsOf({properties = {}, required = []}: Schema, document: ApiDocument): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    shape: shapeOf(schema, document),
  }));
}

/**
 * Returns the title of a variant. A variant without a title is named by its constant field, such as `kind: "payment"`.
 */
function titleOf({title, properties = {}}: Schema): string {
  if (title !== undefined) return title;
  const constant = Object.entries(properties).find(([, schema]) => schema.const !== undefined);
  return constant ? `${constant[0]}: ${JSON.stringify(constant[1].const)}` : '';
}
