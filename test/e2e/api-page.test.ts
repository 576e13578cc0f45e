/**
 * Tests the demo's API page: a developer reads the API description and tries operations on the real Worker and sandbox.
 */

import {readFile} from 'node:fs/promises';
import type {Locator, Page} from 'playwright-core';
import {expect, inject, test} from 'vitest';
import {repoPath} from '../../scripts/lib/repo.mjs';
import {Bank} from './support/bank.ts';
import {useChromium} from './support/chromium.ts';

const {page: origin, sandbox} = inject('addresses');

const openProfile = useChromium({viewport: {width: 360, height: 780}});

interface Developer {
  readonly page: Page;
  /** Expands an operation with the keyboard. */
  openOperation(name: string): Promise<Locator>;
}

async function openPage(path: string): Promise<Developer> {
  const page = await (await openProfile()).newPage();
  await page.goto(`${origin}${path}`);
  return {
    page,
    async openOperation(name) {
      const operation = page.locator('details.operation').filter({has: page.getByRole('heading', {name, exact: true})});
      await operation.locator('> summary').press('Enter');
      return operation;
    },
  };
}

/** Presses "Send" and waits for an answer with this status. @returns the answer's body. */
async function send(operation: Locator, status: number): Promise<Record<string, unknown>> {
  await operation.getByRole('button', {name: 'Send', exact: true}).press('Enter');
  await operation
    .getByRole('status')
    .filter({hasText: new RegExp(`^${status} · `)})
    .waitFor();
  return JSON.parse((await operation.getByRole('region', {name: 'Response body'}).textContent()) ?? '') as Record<
    string,
    unknown
  >;
}

/** @returns The order in the body of an operation's form. */
async function orderIn(operation: Locator): Promise<string> {
  return (JSON.parse(await operation.getByLabel('Body (JSON)').inputValue()) as {order: string}).order;
}

test('a page of any origin may read the API description', async () => {
  const answer = await fetch(`${origin}/openapi.json`, {headers: {origin: 'https://elsewhere.example'}});
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
  expect(await answer.text()).toBe(await readFile(repoPath('worker', 'openapi.json'), 'utf8'));
});

test('a developer searches transactions, creates an order code, repeats the request, and sees errors', async () => {
  const {page, openOperation} = await openPage('/en/');
  expect(await page.locator('pre.source').allTextContents()).toEqual([
    `<script type="module" src="${origin}/checkout.js?offer=gold"></script>\n<vezne-checkout offer="gold"></vezne-checkout>`,
    `<script type="module" src="${origin}/subscribe.js?offer=club"></script>\n<vezne-pin-subscribe offer="club"></vezne-pin-subscribe>`,
  ]);
  await page.getByRole('link', {name: 'API', exact: true}).first().click();

  const search = await openOperation('POST /merchant/v1/transactions/search');
  expect(await send(search, 200)).toEqual({
    items: expect.any(Array) as unknown,
    next_cursor: null,
    total: expect.any(Number) as unknown,
  });

  const create = await openOperation('POST /merchant/v1/order-codes');
  const created = await send(create, 201);
  expect(created).toEqual({
    order_code: expect.stringMatching(/^\d{12}$/) as string,
    service: 'DEMO',
    order: expect.stringMatching(/^S-/) as string,
    amount: '149.90',
    currency: 'TRY',
  });

  // The second request has the same key, so the Worker repeats its first answer and marks the answer as replayed.
  await create.getByRole('button', {name: 'Send', exact: true}).click();
  await create.getByRole('region', {name: 'Headers'}).filter({hasText: 'idempotency-replayed: true'}).waitFor();
  const key = await create.getByLabel('Idempotency-Key').inputValue();

  await create.getByLabel('Body (JSON)').fill('{"service": "DEMO", "amount": "-1"}');
  expect(await create.getByLabel('Idempotency-Key').inputValue()).not.toBe(key);
  expect(await send(create, 422)).toMatchObject({code: 'invalid_request', fields: [{path: 'order'}, {path: 'amount'}]});
  await create.getByLabel('Body (JSON)').fill('{');
  expect(await send(create, 400)).toMatchObject({code: 'invalid_request', status: 400});

  // The form of this operation already contains the new order's service and reference, so the request finds the order
  // code.
  const find = await openOperation('GET /merchant/v1/order-codes');
  expect(await send(find, 200)).toMatchObject({order_code: created['order_code'], order: created['order']});

  // The form contains an example id, so the first request is sent. Without an id, the form sends nothing.
  const get = await openOperation('GET /merchant/v1/transactions/{id}');
  expect(await send(get, 404)).toMatchObject({code: 'not_found'});
  await get.getByLabel('id', {exact: true}).fill('');
  await get.getByRole('button', {name: 'Send', exact: true}).press('Enter');
  await get.getByRole('status').filter({hasText: 'Fill in id first.'}).waitFor();
  const events = await openOperation('GET /merchant/v1/events');
  expect(await send(events, 200)).toMatchObject({items: expect.any(Array) as unknown});

  await page.getByLabel(/^Merchant key/).fill('somebody-else');
  expect(await send(find, 401)).toMatchObject({code: 'unauthorized'});
});

test('after a developer creates a session, requests to the browser API send the session’s token', async () => {
  const {page, openOperation} = await openPage('/en/api#openOrderCode');
  const code = page.locator('#openOrderCode');
  expect(await send(code, 401)).toMatchObject({code: 'unauthorized'});
  await page.locator('#openSession').waitFor();
  const session = await openOperation('POST /v1/sessions');
  await session.getByLabel('Body (JSON)').fill('{"offer": "gold"}');
  const {token} = await send(session, 201);
  expect(await page.getByLabel('Session', {exact: true}).inputValue()).toBe(token);
  expect(await send(code, 200)).toMatchObject({order_code: expect.any(String) as string, amount: '149.90'});
});

test('a developer finds the refund with the keyboard, and its form contains a paid order', async () => {
  const {page, openOperation} = await openPage('/en/api');
  const create = await openOperation('POST /merchant/v1/order-codes');
  const {order_code: code} = await send(create, 201);
  await new Bank(sandbox).receive(String(code), '149.90');
  await page.reload();
  const unpaid = await orderIn(await openOperation('POST /merchant/v1/order-codes'));

  await page.getByLabel('Search operations').fill('refund money');
  await page.getByText('1 operation found.').waitFor();
  expect(await page.locator('.operation:visible').count()).toBe(1);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  const refund = page.locator('#createRefund');
  await expect.poll(() => orderIn(refund)).not.toBe(unpaid);
  await send(refund, 201);
  await page.getByLabel('Search operations').press('Escape');
  expect(await page.locator('.operation:visible').count()).toBeGreaterThan(50);
});
