/** What a merchant may write into each field: of the merchant API, and of configured offers. */

import {expect, test} from 'vitest';
import type * as z from 'zod/mini';
import {endpoints} from '../../../worker/contract/merchant/endpoints.ts';
import {AnyOffer} from '../../../worker/contract/offers.ts';

interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly options?: readonly z.ZodMiniType[];
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
  readonly keyType?: z.ZodMiniType;
  readonly valueType?: z.ZodMiniType;
}
const defOf = (schema: z.ZodMiniType) => (schema as unknown as {_zod: {def: Def}})._zod.def;

/** The schemas that take a value as it is written: text, numbers, and what is made of them. */
function leavesOf(schema: z.ZodMiniType, path: string): [path: string, schema: z.ZodMiniType][] {
  const {shape, options, innerType, element, keyType, valueType} = defOf(schema);
  const parts: [string, z.ZodMiniType | undefined][] = [
    ...Object.entries(shape ?? {}),
    ...(options ?? []).map((option): [string, z.ZodMiniType] => ['', option]),
    ['', innerType],
    ['[]', element],
    ['{key}', keyType],
    ['{}', valueType],
  ];
  const known = parts.flatMap(([name, part]) => (part ? leavesOf(part, name ? `${path}.${name}` : path) : []));
  return known.length > 0 ? known : [[path, schema]];
}

const leaves = [
  ...Object.entries(endpoints).flatMap(([name, {input}]) => leavesOf(input, name)),
  ...leavesOf(AnyOffer(), 'OFFERS'),
].filter(([, schema], index, all) => all.findIndex(([, other]) => other === schema) === index);

/** Valid values of all kinds of text. */
const VALID = [
  'lamp',
  '12',
  '149.90',
  '5321234567',
  '2026-11-21',
  '2026-11-21T15:42:00+03:00',
  'https://shop.example/lamp',
  'https://shop.example',
  'lamp@shop.example',
  '192.0.2.1',
  '2001:db8::1',
  'TR330006100519786457841326',
  '#0b5cad',
  'Örnek Ticaret',
  'wh_1f0c9a6be2d44f6a8b5a9c1d',
  'key_0123456789AB',
  'rfl_1',
  `evt_${'0'.repeat(32)}`,
];
/** Half a character, controls, and directions that do not end with the text. */
const SENSELESS = [
  '\ud800',
  '\udc00',
  '\0',
  '\u0007',
  '\u001b',
  '\u007f',
  '\u009b',
  ...'\u061c\u2028\u2029\u202a\u202b\u202d\u202e\u2066\u2067\u2068',
];
const isSenseless = (value: unknown) => /[\p{Cs}\p{Cc}\u061c\u2028-\u202e\u2066-\u2069]/u.test(String(value));

/** The texts of these kinds that a schema passes on. */
const passedOn = (schema: z.ZodMiniType, texts: readonly string[]) =>
  texts.flatMap((text) => {
    const {success, data} = schema.safeParse(text);
    return success ? [data] : [];
  });
const withPart = (text: string, part: string) => [part + text, text.slice(0, 2) + part + text.slice(2), text + part];

test('each field of a merchant that takes text refuses half characters, controls, unended directions and endless text', () => {
  const texts = leaves.map(
    ([path, schema]) =>
      [
        path,
        schema,
        passedOn(schema, VALID)
          .filter((one) => typeof one === 'string')
          .slice(0, 1),
      ] as const,
  );
  // Every field of text has a valid value above, so that it is tested.
  const ofText = texts.filter(
    ([, schema]) => !['int', 'number', 'boolean', 'literal', 'enum', 'object'].includes(defOf(schema).type),
  );
  expect(ofText.filter(([, , valid]) => valid.length === 0).map(([path]) => path)).toEqual([]);
  const wrong = ofText.flatMap(([path, schema, valid]) => [
    ...valid
      .flatMap((text) => SENSELESS.flatMap((part) => passedOn(schema, withPart(text, part))))
      .filter(isSenseless)
      .slice(0, 1)
      .map((text) => `${path} accepts ${JSON.stringify(text)}`),
    ...(passedOn(
      schema,
      valid.map((text) => text + 'a'.repeat(20_000)),
    ).length > 0
      ? [`${path} has no length`]
      : []),
  ]);
  expect(wrong).toEqual([]);
  expect(ofText.length).toBeGreaterThan(70);
});

test.for<[what: string, text: string]>([
  ['two lines and a tab', 'a\r\nb\tc'],
  ['emoji', 'a 👩‍👩‍👧 b'],
  ['Turkish, Arabic and Hebrew', 'ığüşöçİ مصباح עברית'],
  ['marks that only help to read', 'a\u200eb\u200fc\u200d\u00ad'],
  ['combining letters', 'e\u0301'],
])('a title may have %s', ([, text]) => {
  const offer = {kind: 'payment', service: 'DEMO', amount: '1', title: {tr: text, en: text}, seller: {name: text}};
  expect(AnyOffer().safeParse(offer).data?.title.tr).toBe(text);
});

test('what address books put around a pasted name or number is removed', () => {
  const notice = {name: '\u2068Ada\u2069', phone: '\u202d0532 123 45 67\u202c', email: 'a@b.example'};
  const request = {service: 'DEMO', order: 'S-1009', amount: '149.90', bank: 'garanti', notice};
  const parsed = endpoints.createPaymentNotice.input.safeParse(request);
  expect(parsed.data?.notice).toEqual({name: 'Ada', phone: '0532 123 45 67', email: 'a@b.example'});
});
