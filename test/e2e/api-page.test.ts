/**
 * Tests the demo's API page: a developer reads the API description and tries operations on the real Worker and sandbox.
 */

import type {Locator} from 'playwright-core';
import {expect, inject, test} from 'vitest';
import {version} from '../../scripts/lib/repo.mjs';
import {useChromium} from './support/chromium.ts';
import {keepOperations} from './support/keep-operations.ts';

const {page: origin} = inject('addresses');

/** The operations that the developer tries. */
const OPERATIONS = new Set(['listCommands', 'createOrderCode', 'openSession', 'openOrderCode']);

const openProfile = useChromium({viewport: {width: 360, height: 780}});

/** A form of the page, with the answer that it got last. */
interface Form {
  readonly element: Locator;
  /** Sends the form and waits for an answer with this status. @returns the answer's body. */
  send(status: number): Promise<unknown>;
}

async function openPage(path: string) {
  const page = await (await openProfile()).newPage();
  await keepOperations(page, ({operationId = ''}) => OPERATIONS.has(operationId));
  await page.goto(`${origin}${path}`);
  return {
    page,
    /** Expands an operation with the keyboard. */
    async openForm(id: string): Promise<Form> {
      const element = page.locator(`.opblock[id$="-${id}"]`);
      await element.locator('.opblock-summary-control').press('Enter');
      return {
        element,
        async send(status) {
          await element.getByRole('button', {name: 'Execute', exact: true}).press('Enter');
          const shown = element.locator('.live-responses-table .response');
          await shown
            .locator('.response-col_status')
            .filter({hasText: String(status)})
            .waitFor();
          return JSON.parse(await shown.locator('.highlight-code pre').first().innerText()) as unknown;
        },
      };
    },
  };
}

test('a page of any origin may read the API description', async () => {
  const answer = await fetch(`${origin}/openapi.json`, {headers: {origin: 'https://elsewhere.example'}});
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
  expect(await answer.json()).toMatchObject({openapi: '3.1.0', info: {title: 'Vezne', version}});
});

test('a developer tries operations with the sandbox’s merchant key, and with the token of a session', async () => {
  const {page, openForm} = await openPage('/en/api');
  // The filters of a list are empty, so the first request finds everything.
  const commands = await openForm('listCommands');
  expect(await commands.send(200)).toMatchObject({items: expect.any(Array) as unknown});

  const create = await openForm('createOrderCode');
  const body = create.element.getByLabel('Request body');
  const order = `S-${Date.now()}`;
  await body.fill(JSON.stringify({service: 'DEMO', order, amount: '149.90'}));
  const created = await create.send(201);
  expect(created).toEqual({
    order_code: expect.stringMatching(/^\d{12}$/) as string,
    service: 'DEMO',
    order,
    amount: '149.90',
    currency: 'TRY',
  });
  // Each request has a new key, so the Worker does not take this one for a repetition.
  expect(await create.send(409)).toMatchObject({code: 'order_exists'});

  await page.getByLabel(/^Merchant key/).fill('somebody-else');
  expect(await create.send(401)).toMatchObject({code: 'unauthorized'});

  const session = await openForm('openSession');
  await session.element.getByLabel('Request body').fill('{"offer": "gold"}');
  const {token} = (await session.send(201)) as {token: string};
  expect(await page.getByLabel('Session', {exact: true}).inputValue()).toBe(token);
  const code = await openForm('openOrderCode');
  expect(await code.send(200)).toMatchObject({order_code: expect.any(String) as string, amount: '149.90'});
});
