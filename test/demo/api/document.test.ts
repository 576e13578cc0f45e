/**
 * Tests how the API page reads the Worker's API description: it must show every operation, and a type for every field.
 */

import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {ApiDocument, matchesSearch, type RawDocument} from '../../../demo/api/document.ts';
import {type Field, type Shape, shapeOf} from '../../../demo/api/shape.ts';

const raw = JSON.parse(readFileSync(new URL('../../../worker/openapi.json', import.meta.url), 'utf8')) as RawDocument;
const api = new ApiDocument(raw);
const operations = api.groups().flatMap((group) => group.operations);
const shapeIn = (id: string) => {
  const schema = operations.find((operation) => operation.id === id)?.body?.schema;
  return schema && shapeOf(schema, api);
};

function everyType({type, fields, variants}: Shape): string[] {
  const innerFields = [...fields, ...variants.flatMap((variant) => variant.fields)];
  return [type, ...innerFields.flatMap((field: Field) => everyType(field.shape))];
}

test('every operation is in a group', () => {
  const operationIds = Object.values(raw.paths).flatMap((methods) =>
    Object.values(methods).map(({operationId}) => operationId),
  );
  expect(operations.map(({id}) => id).sort()).toEqual(operationIds.sort());
});

test('every field and answer has a type', () => {
  const schemas = operations.flatMap(({body, answers, parameters}) => [
    body?.schema,
    ...answers.map(({media}) => media?.schema),
    ...parameters.map(({schema}) => schema),
  ]);
  const types = schemas.flatMap((schema) => (schema ? everyType(shapeOf(schema, api)) : []));
  expect(types.length).toBeGreaterThan(500);
  expect(types.filter((type) => /any|undefined|^$/.test(type))).toEqual([]);
});

test('an operation says whether it needs a key or a session, and whether it is a write', () => {
  const [write, read, page] = ['createRefund', 'searchTransactions', 'openOrderCode'].map((id) =>
    operations.find((operation) => operation.id === id),
  );
  expect([write?.access, write?.write, write?.method, write?.path]).toEqual([
    'key',
    true,
    'POST',
    '/merchant/v1/refunds',
  ]);
  expect([read?.access, read?.write, page?.access, page?.write]).toEqual(['key', false, 'session', false]);
});

test('a field that accepts a value, a list or a comparison is described with its inner fields', () => {
  const amount = shapeIn('searchTransactions')?.fields.find(({name}) => name === 'amount');
  expect(amount).toMatchObject({
    required: false,
    shape: {
      type: 'string | string[] | object',
      fields: [
        {name: 'operator', required: true},
        {name: 'value', required: true},
      ],
    },
  });
});

test('each variant of a body is described separately, and limits are numbers', () => {
  const session = shapeIn('createSession');
  expect(session?.variants.map(({title}) => title)).toEqual([
    'kind: "payment"',
    'kind: "subscription"',
    'kind: "management"',
    'kind: "vendor"',
  ]);
  const order = session?.variants[0]?.fields.find(({name}) => name === 'order')?.shape;
  expect(order).toMatchObject({type: 'string', limits: [{characters: {min: 1, max: 255}}], example: 'S-1009'});
});

test.each([
  ['refunds/days', ['listDayRefunds']],
  ['  POST Refund charge ', ['refundCharge']],
  ['createrefund', ['createRefund']],
  ['no such operation', []],
])('the search "%s" finds the operations that contain every word: %j', (search, found) => {
  expect(operations.filter((operation) => matchesSearch(operation, search)).map(({id}) => id)).toEqual(found);
});
