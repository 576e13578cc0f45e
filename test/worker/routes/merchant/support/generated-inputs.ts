/** Generates valid and invalid inputs for any schema of the contract. */

import * as fc from 'fast-check';
import * as z from 'zod/mini';

interface Def {
  readonly type: string;
  readonly shape?: Record<string, z.ZodMiniType>;
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
  readonly options?: readonly z.ZodMiniType[];
  readonly values?: readonly unknown[];
  readonly entries?: Record<string, unknown>;
  readonly in?: z.ZodMiniType;
  readonly format?: string;
  readonly checks?: readonly {readonly _zod: {readonly def: CheckDef}}[];
}
interface CheckDef {
  readonly check: string;
  readonly value?: number;
  readonly inclusive?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: RegExp;
}
interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly pattern: RegExp | undefined;
}

const defOf = (schema: z.ZodMiniType) => (schema as unknown as {_zod: {def: Def}})._zod.def;

function boundsOf({checks = []}: Def): Bounds {
  const all = checks.map((check) => check._zod.def);
  const find = (name: string) => all.find(({check}) => check === name);
  const [above, below] = [find('greater_than'), find('less_than')];
  return {
    min: find('min_length')?.minimum ?? (above && (above.value ?? 0) + (above.inclusive ? 0 : 1)),
    max: find('max_length')?.maximum ?? (below && (below.value ?? 0) - (below.inclusive ? 0 : 1)),
    pattern: find('string_format')?.pattern,
  };
}

/** If the schema refuses this many generated inputs in a row, the generator does not know one of the schema's rules. */
const MAX_REFUSED = 5_000;

/** Generates inputs that the schema accepts. */
export function validInputs(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  let refused = 0;
  return build(schema).filter((input) => {
    const {success, error} = schema.safeParse(input);
    refused = success ? 0 : refused + 1;
    if (refused > MAX_REFUSED) throw new Error('The generator makes no input that the schema accepts.', {cause: error});
    return success;
  });
}

function build(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  const def = defOf(schema);
  const inner = () => build((def.innerType ?? def.in) as z.ZodMiniType);
  switch (def.type) {
    case 'object':
      return buildObject(def.shape ?? {});
    case 'optional':
    case 'default':
    case 'nullable':
      return inner();
    case 'pipe':
      return z.globalRegistry.get(schema)?.['format'] === 'date-time' ? times() : inner();
    case 'array':
      return fc.array(build(def.element as z.ZodMiniType), {minLength: 1, maxLength: 3});
    case 'union':
      return fc.oneof(...(def.options ?? []).map(build));
    case 'literal':
      return fc.constantFrom(...(def.values ?? []));
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries ?? {}));
    case 'boolean':
      return fc.boolean();
    case 'number':
      return buildNumber(boundsOf(def));
    case 'record':
      // The tests configure no EXTRA_PARAMETERS, so every name would be refused.
      return fc.constant({});
    case 'string':
      return buildString(def.format, boundsOf(def));
    default:
      throw new Error(`The generator does not support schemas of the type ${def.type}.`);
  }
}

function buildObject(shape: Record<string, z.ZodMiniType>): fc.Arbitrary<unknown> {
  const required = Object.keys(shape).filter((name) => defOf(shape[name] as z.ZodMiniType).type !== 'optional');
  const fields = Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, FIELDS[name] ?? build(field)]));
  return fc.record(fields, {requiredKeys: required});
}

function buildNumber({min = -1000, max = 1_000_000}: Bounds): fc.Arbitrary<number> {
  return fc.integer({min: Math.max(min, -1000), max: Math.min(max, 1_000_000)});
}

/** The pattern of references without control characters. */
const WITHOUT_CONTROLS = String.raw`^[^\u0000-\u001f\u007f-\u009f]*$`;
const CHARACTERS = 'aZ9 -_.&=+%/?#"\'\\<>[]{}çğıİöşüŞ€漢😀\n';

function buildString(format: string | undefined, {min = 0, max = 20, pattern}: Bounds): fc.Arbitrary<string> {
  switch (format) {
    case 'url':
      return fc
        .tuple(
          fc.constantFrom('https://shop.example', 'http://localhost:5173'),
          fc.constantFrom('', '/', '/ok?a=1&b=ş', '/a/b%20c'),
        )
        .map((parts) => parts.join(''));
    case 'date':
      return days();
    case 'ipv4':
      return fc.ipV4();
    case 'ipv6':
      return fc.ipV6();
    default:
      break;
  }
  const isWithoutControls = pattern?.source === WITHOUT_CONTROLS;
  if (pattern && !isWithoutControls) return buildMatching(pattern);
  const characters = [...CHARACTERS].filter((character) => !isWithoutControls || character >= ' ');
  return fc.string({unit: fc.constantFrom(...characters), minLength: min, maxLength: Math.min(max, 40)});
}

const digits = (minLength: number, maxLength: number) =>
  fc.array(fc.integer({min: 0, max: 9}), {minLength, maxLength}).map((all) => all.join(''));

/** Generates text that matches one of the contract's patterns. A generator for all patterns would take seconds. */
function buildMatching({source}: RegExp): fc.Arbitrary<string> {
  if (source.startsWith('^5')) return digits(9, 9).map((rest) => `5${rest}`);
  if (source.startsWith('^\\d')) return digits(1, 20);
  const [, prefix] = /^\^(evt|rfl)_/.exec(source) ?? [];
  if (prefix) return fc.uuid().map((uuid) => `${prefix}_${uuid.replaceAll('-', '')}`);
  if (source.startsWith('^[A-Za-z0-9_-]')) return fc.constantFrom('lamp', 'A-1_b');
  if (source.startsWith('^[a-z]')) return fc.constantFrom('size', 'color_2');
  if (source.startsWith('^#[')) return fc.constant('#0b5cad');
  if (source.startsWith('^wh_')) return fc.uuid().map((uuid) => `wh_${uuid.replaceAll('-', '').slice(0, 24)}`);
  if (source.startsWith('^key_')) return fc.constantFrom('key_0123456789AB', 'key_ZZZZZZZZZZZZ');
  if (source.startsWith('^[^\\s')) return fc.constantFrom('881200', 'ğ-Token_7');
  if (source.startsWith('^\\+?[')) return fc.constantFrom('+90 212 555 12 34', '0850 555 12 34', '(212) 555-1234');
  // Text at random would never match an unknown pattern.
  if (!source.startsWith('^(0|')) throw new Error(`The generator does not support the pattern ${source}.`);
  const fraction = fc.oneof(
    fc.constant(''),
    digits(1, 2).map((places) => `.${places}`),
  );
  return fc.tuple(fc.integer({min: 0, max: 999_999_999_999}), fraction).map(([whole, places]) => `${whole}${places}`);
}

/** Fields whose rules are more than a format and bounds: text at random is never a mobile number. */
const FIELDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  phone: fc
    .tuple(fc.constantFrom('', '0', '90', '+90 ', '0090'), digits(9, 9))
    .map(([prefix, rest]) => `${prefix}5${rest}`),
  iban: fc.constantFrom('TR330006100519786457841326', 'TR320010009999901234567890'),
};

function times(): fc.Arbitrary<string> {
  return fc
    .tuple(
      days(),
      fc.integer({min: 0, max: 86_399}),
      fc.constantFrom('', '.5', '.123456'),
      fc.constantFrom('Z', '+03:00', '-05:30'),
    )
    .map(([day, second, part, zone]) => `${day}T${new Date(second * 1000).toISOString().slice(11, 19)}${part}${zone}`);
}

function days(): fc.Arbitrary<string> {
  return fc
    .integer({min: 0, max: 36_523})
    .map((day) => new Date(Date.UTC(2000, 0, 1) + day * 86_400_000).toISOString().slice(0, 10));
}

/** Returns the input with one field added or changed. The field's name may even be `__proto__`. */
function withField(input: object, name: string, value: unknown): Record<string, unknown> {
  return Object.fromEntries([...Object.entries(input), [name, value]]);
}

/** Generates variants of an input with one change each. A variant is often, but not always, invalid. */
export function invalidInputs(input: Record<string, unknown>): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(input);
  const wrong = fc.constantFrom<unknown>(
    null,
    true,
    3.5,
    -1,
    '',
    [],
    {},
    [null],
    {a: 1},
    '\ud800',
    'x'.repeat(3000),
    '2026-02-30',
    '9999-12-31',
    '9999-12-31T23:59:59-12:00',
    '-1.00',
    '1.001',
    2 ** 60,
    Number.MAX_SAFE_INTEGER,
  );
  const change = fc
    .tuple(fc.constantFrom(...(names.length > 0 ? names : ['surplus'])), wrong)
    .map(([name, value]) => withField(input, name, value));
  const drop = fc
    .constantFrom(...(names.length > 0 ? names : ['none']))
    .map((name) => Object.fromEntries(Object.entries(input).filter(([other]) => other !== name)));
  const add = fc
    .tuple(fc.constantFrom('surplus', '__proto__', 'constructor', 'Amount', 'status'), wrong)
    .map(([name, value]) => withField(input, name, value));
  const nested = names.filter(
    (name) => typeof input[name] === 'object' && input[name] !== null && !Array.isArray(input[name]),
  );
  const deeper = nested.map((name) =>
    invalidInputs(input[name] as Record<string, unknown>).map((value) => withField(input, name, value)),
  );
  return fc.oneof(change, drop, add, ...deeper);
}
