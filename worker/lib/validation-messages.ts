/**
 * Describes each invalid field of input or of the configuration. Zod's own messages are not used, because they are
 * written for authors of schemas.
 */

import type * as z from 'zod/mini';

export const MISSING = 'This field is missing.';

type RawIssue = z.core.$ZodRawIssue;
type RawIssueOf<C extends RawIssue['code']> = Extract<RawIssue, {code: C}>;

/** The message for an issue, unless the schema defines its own message. */
export function validationMessage(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? MISSING : `Expected ${typeName(issue.expected)}.`;
    case 'invalid_value':
      return issue.input === undefined ? MISSING : `Expected ${oneOf(issue.values.map(String))}.`;
    case 'invalid_union':
      return unionMessage(issue);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'This does not have the expected format.';
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'This field is empty.';
      return boundMessage(issue, issue.minimum, 'at least', 'more than');
    case 'too_big':
      return boundMessage(issue, issue.maximum, 'at most', 'less than');
    default:
      return 'This value is not accepted.';
  }
}

/** Names a bound with its unit: `at most 3 items`, `at least 1 character`, or just `at least 1` for numbers. */
function boundMessage(
  {origin, inclusive}: RawIssueOf<'too_big' | 'too_small'>,
  bound: number | bigint,
  inclusively: string,
  exclusively: string,
): string {
  const unit = UNITS[origin];
  const counted = unit === undefined ? bound : Number(bound) === 1 ? `1 ${unit}` : `${bound} ${unit}s`;
  return `Expected ${inclusive === false ? exclusively : inclusively} ${counted}.`;
}

const UNITS: Readonly<Record<string, string>> = {string: 'character', array: 'item'};

/**
 * The message for a value that matches no variant of a union. If the union has a discriminator, the value of that field
 * selects the variant.
 */
function unionMessage(issue: RawIssueOf<'invalid_union'>): string {
  const {discriminator, options} = issue as {readonly discriminator?: string; readonly options?: readonly unknown[]};
  const value =
    discriminator === undefined ? issue.input : (issue.input as Readonly<Record<string, unknown>>)[discriminator];
  if (value === undefined) return MISSING;
  if (options) return `Expected ${oneOf(options.map(String))}.`;
  const types = issue.errors.flatMap((branch) =>
    branch.flatMap((nested) =>
      nested.code === 'invalid_type' && nested.path.length === 0 ? [typeName(nested.expected)] : [],
    ),
  );
  return types.length > 0 ? `Expected ${[...new Set(types)].join(' or ')}.` : 'This does not match any accepted form.';
}

const oneOf = (values: readonly string[]): string =>
  values.length === 1 ? values.join() : `one of ${values.join(', ')}`;

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
const typeName = (expected: string): string => TYPES[expected] ?? 'another type';

const FORMATS: Readonly<Record<string, string>> = {
  url: 'Expected a URL that begins with https:// or http://.',
  date: 'Expected an existing date, formatted YYYY-MM-DD.',
  ipv4: 'Expected an IP address.',
  ipv6: 'Expected an IP address.',
};

export type ParsedIssue = z.core.$ZodIssue;

export interface InvalidField {
  /** The path of the field, such as `["contact", "iban"]`. */
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Describes the invalid fields of a parsed value. Each field appears once. */
export function describeFields(issues: readonly ParsedIssue[]): InvalidField[] {
  const fields = issues.flatMap((issue) => fieldsOf(issue, []));
  return [...new Map(fields.toReversed().map((field) => [field.path.join('.'), field])).values()].toReversed();
}

function fieldsOf(issue: ParsedIssue, parent: readonly PropertyKey[]): InvalidField[] {
  const path = [...parent, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({path: [...path, key], message: 'This field is not accepted.'}));
  const inner = issue.code === 'invalid_union' ? closestUnionIssues(issue.errors) : [];
  if (inner.length > 0) return inner.flatMap((nested) => fieldsOf(nested, path));
  return [{path, message: issue.message}];
}

/**
 * Picks the issues to report for a union: the issues of the variant with the fewest issues. Variants of a different
 * type than the value, such as an object when the value is text, are left out. If no variant remains, the result is
 * empty. Exception: if two or more variants each have only missing fields, the missing fields of all these variants are
 * reported.
 */
function closestUnionIssues(branches: readonly (readonly ParsedIssue[])[]): readonly ParsedIssue[] {
  const candidates = branches.filter(
    (issues) => issues.length > 0 && !issues.some(({code, path}) => path.length === 0 && code === 'invalid_type'),
  );
  const incomplete = candidates.filter((issues) => issues.every(({message}) => message === MISSING));
  if (incomplete.length < 2) return [...candidates].sort((a, b) => a.length - b.length)[0] ?? [];
  const isAlwaysMissing = (field: string) =>
    incomplete.every((issues) => issues.some(({path}) => path.join('.') === field));
  return incomplete.flat().map(({path}) => ({
    code: 'custom',
    path,
    message: isAlwaysMissing(path.join('.')) ? MISSING : 'This field or its alternative is missing.',
  }));
}
