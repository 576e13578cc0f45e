/** What holds for each row of the merchant API. */

import {expect, test} from 'vitest';
import type {MerchantRow} from '../../../../worker/contract/endpoint.ts';
import {type EndpointName, endpoints} from '../../../../worker/contract/merchant/endpoints.ts';
import {operations} from '../../../../worker/platform/operations/index.ts';

const names = Object.keys(endpoints) as EndpointName[];
const row = (name: EndpointName): MerchantRow => endpoints[name];

test('an endpoint is a write if its operation changes something, and only writes answer with 201', () => {
  for (const name of names) {
    const {operation, write, status, path} = row(name);
    if (operation) expect([name, write]).toEqual([name, operations[operation].effect === 'read' ? undefined : true]);
    expect(path).toMatch(/^\/merchant\/v1\/[a-z]/);
    if (status === 201) expect(write).toBe(true);
  }
});

test('each operation of the platform has an endpoint, except the operations of the platform token', () => {
  const usedOperations = names.map((name) => row(name).operation).filter((operation) => operation !== undefined);
  expect(new Set(usedOperations).size).toBe(28);
  expect(
    Object.keys(operations)
      .filter((operation) => !usedOperations.includes(operation as never))
      .sort(),
  ).toEqual(['tokenCheck', 'tokenGet']);
});

test('the example of each endpoint matches its schemas', () => {
  for (const name of names) {
    const {input, docs} = row(name);
    expect(input.safeParse(docs.example.input).error, name).toBeUndefined();
    expect(docs.answer.safeParse(docs.example.answer).error, name).toBeUndefined();
  }
});
