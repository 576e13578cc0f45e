/** What is wrong with a field, as a sentence: the library's own words are for whoever wrote the schema. */

import type * as z from 'zod';
import type {Problem} from '../contract/problem.ts';
import {ApiError} from './errors.ts';

export const MISSING = 'This field is missing.';

type RawIssue = z.core.$ZodRawIssue;
type RawIssueOf<C extends RawIssue['code']> = Extract<RawIssue, {code: C}>;

/** For what a schema has no words of its own. */
export function validationMessage(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? MISSING : `${capitalize(typeName(issue.expected))} is expected.`;
    case 'invalid_value':
      return issue.input === undefined ? MISSING : `${oneOf(issue.values.map(String))} is expected.`;
    case 'invalid_union':
      return unionMessage(issue);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'This does not have the form that is expected.';
    case 'too_small':
      return tooSmallMessage(issue);
    case 'too_big':
      return `${issue.inclusive === false ? 'Less than' : 'At most'} ${countPhrase(issue.maximum, issue.origin)} expected.`;
    default:
      return 'This is not taken.';
  }
}

function tooSmallMessage({origin, minimum, inclusive}: RawIssueOf<'too_small'>): string {
  if (origin === 'string' && minimum === 1) return 'This field is empty.';
  return `${inclusive === false ? 'More than' : 'At least'} ${countPhrase(minimum, origin)} expected.`;
}

/** `3 items are`, `1 is`. */
function countPhrase(count: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `${count} is`;
  return Number(count) === 1 ? `1 ${unit} is` : `${count} ${unit}s are`;
}

const UNITS: Readonly<Record<string, string>> = {string: 'character', array: 'item'};

/** Of a value that may have several forms, and has the type of none; or whose form is told by one of its fields. */
function unionMessage(issue: RawIssueOf<'invalid_union'>): string {
  const {discriminator, options} = issue as {readonly discriminator?: string; readonly options?: readonly unknown[]};
  const value =
    discriminator === undefined ? issue.input : (issue.input as Readonly<Record<string, unknown>>)[discriminator];
  if (value === undefined) return MISSING;
  if (options) return `${oneOf(options.map(String))} is expected.`;
  const types = issue.errors.flatMap((branch) =>
    branch.flatMap((one) => (one.code === 'invalid_type' && one.path.length === 0 ? [typeName(one.expected)] : [])),
  );
  return types.length > 0
    ? `${capitalize([...new Set(types)].join(' or '))} is expected.`
    : 'This does not have any of the forms that are taken.';
}

const oneOf = (values: readonly string[]): string =>
  values.length === 1 ? values.join() : `One of ${values.join(', ')}`;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};
const typeName = (expected: string): string => TYPES[expected] ?? 'something else';
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const FORMATS: Readonly<Record<string, string>> = {
  url: 'An address is expected that begins with https:// or http://.',
  date: 'A day there is, as YYYY-MM-DD, is expected.',
  datetime: 'A time is expected, to the second and with its offset, such as 2026-11-21T15:42:00+03:00.',
  ipv4: 'An IP address is expected.',
  ipv6: 'An IP address is expected.',
};

/** The value as the schema has it. @throws {ApiError} 422 with the fields that are wrong, each once. */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value, {error: validationMessage});
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.flatMap((issue) => fieldsOf(issue, []));
  throw new ApiError('invalid_request', {
    fields: [...new Map(fields.toReversed().map((field) => [field.path, field])).values()].toReversed(),
  });
}

type Field = NonNullable<Problem['fields']>[number];

type ParsedIssue = z.core.$ZodIssue;

function fieldsOf(issue: ParsedIssue, parent: readonly PropertyKey[]): Field[] {
  const path = [...parent, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({path: [...path, key].join('.'), message: 'This field is not taken.'}));
  const inner = issue.code === 'invalid_union' ? closestUnionIssues(issue.errors) : [];
  if (inner.length > 0) return inner.flatMap((one) => fieldsOf(one, path));
  return [{path: path.join('.'), message: issue.message}];
}

/**
 * Of the forms a value may have, what is wrong with the one it fails in the fewest places; none where it is not even of the
 * right type. Where it lacks something for each form, and has nothing that another one does not take, every lack is named.
 */
function closestUnionIssues(branches: readonly (readonly ParsedIssue[])[]): readonly ParsedIssue[] {
  const inside = branches.filter(
    (issues) => issues.length > 0 && !issues.some(({code, path}) => path.length === 0 && code === 'invalid_type'),
  );
  const lacking = inside.filter((issues) => issues.every(({message}) => message === MISSING));
  if (lacking.length < 2) return [...inside].sort((a, b) => a.length - b.length)[0] ?? [];
  const always = (path: string) => lacking.every((issues) => issues.some((one) => one.path.join('.') === path));
  return lacking.flat().map(({path}) => ({
    code: 'custom',
    path,
    message: always(path.join('.')) ? MISSING : 'This field is missing, unless another form is meant.',
  }));
}
