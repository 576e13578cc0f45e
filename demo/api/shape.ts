/** What a value may look like, read from its JSON Schema into what a reader wants to know. */

import type {ApiDocument, Schema} from './document.ts';

export interface Limits {
  readonly characters?: Range;
  readonly items?: Range;
  readonly value?: Range;
  readonly pattern?: string;
}

export interface Range {
  readonly least?: number;
  readonly most?: number;
}

export interface Shape {
  /** As a type is written: `string`, `integer | null`, `"visit" | "click"`, `string[]`. */
  readonly type: string;
  readonly description?: string | undefined;
  readonly example?: unknown;
  /** One for each form the value may have. */
  readonly limits: readonly Limits[];
  /** The fields inside, of an object or of a list's items. */
  readonly fields: readonly Field[];
  /** The forms of an object that has several. */
  readonly forms: readonly {readonly title: string; readonly fields: readonly Field[]}[];
}

export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly shape: Shape;
}

export function shapeOf(schema: Schema, document: ApiDocument): Shape {
  const {description, examples} = schema;
  const forms = formsOf(schema, document);
  const objects = forms.map((form) => itemsOf(form, document)).filter(({properties}) => properties !== undefined);
  const several = objects.length > 1;
  return {
    type: [...new Set(forms.map((form) => typeOf(form, document)))].join(' | '),
    description: description ?? forms.find((form) => form.description !== undefined)?.description,
    example: [schema, ...forms].flatMap((form) => form.examples ?? [])[0] ?? examples?.[0],
    limits: forms.map(limitsOf).filter((limits) => Object.keys(limits).length > 0),
    fields: several ? [] : objects.flatMap((object) => fieldsOf(object, document)),
    forms: several ? objects.map((object) => ({title: titleOf(object), fields: fieldsOf(object, document)})) : [],
  };
}

/** The forms a value may have, each without further ones. */
function formsOf(schema: Schema, document: ApiDocument): Schema[] {
  const followed = document.follow(schema) as Schema;
  const inner = followed.anyOf ?? followed.oneOf;
  if (inner) return inner.flatMap((form) => formsOf(form, document));
  if (typeof followed.type === 'object') return followed.type.map((type) => ({...followed, type}));
  return [followed];
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
  const value = range(safe(schema.minimum) ?? exclusiveMinimum, safe(schema.maximum));
  return {
    ...(characters && {characters}),
    ...(items && {items}),
    ...(value && {value}),
    // What has a name needs no pattern.
    ...(pattern !== undefined && format === undefined && {pattern}),
  };
}

function range(least: number | undefined, most: number | undefined): Range | undefined {
  if (least === undefined && most === undefined) return undefined;
  return {...(least !== undefined && {least}), ...(most !== undefined && {most})};
}

/** The ends of what a double holds exactly are no limit of the API's. */
function safe(limit: number | undefined): number | undefined {
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

/** What sets one form apart: its title, or the one value a field of it must have. */
function titleOf({title, properties = {}}: Schema): string {
  if (title !== undefined) return title;
  const told = Object.entries(properties).find(([, {const: only}]) => only !== undefined);
  return told ? `${told[0]}: ${JSON.stringify(told[1].const)}` : '';
}
