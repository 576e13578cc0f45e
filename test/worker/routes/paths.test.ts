/** Tests which paths have a route. */

import {exports} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {sharedWorker} from '../support/fresh-worker.ts';
import {ask, ORIGIN} from '../support/page.ts';
import {expectProblem, PROBLEMS} from '../support/problems.ts';

sharedWorker();

test('a path without a route is not found', async () => {
  for (const path of [
    '/',
    '/v1',
    '/v1/',
    '/v2/banks',
    '/v1/bank',
    '/v1/banks/6',
    '/v1/banks/6/logo/x',
    '/v1/payment/live/x',
    '/V1/banks',
    '//v1/banks',
    '/hooks/nothing',
  ]) {
    for (const method of ['GET', 'POST', 'OPTIONS'])
      expectProblem(await ask(path, {method, headers: {origin: ORIGIN}}), PROBLEMS.not_found);
  }
});

test('a path that ends where a name should follow is answered like a wrong name, and slashes at the end are ignored', async () => {
  const answers = await Promise.all(
    ['/p', '/p/', '/p/unknown', '/r', '/merchant', '/merchant/v1', '/hooks', '/health/', '/v1/payment//'].map(
      async (path) => {
        const response = await exports.default.fetch(`https://vezne.example${path}`);
        const type = response.headers.get('content-type')?.split(';', 1)[0];
        await response.body?.cancel();
        return [path, response.status, type];
      },
    ),
  );
  expect(answers).toEqual([
    ['/p', 404, 'text/html'],
    ['/p/', 404, 'text/html'],
    ['/p/unknown', 404, 'text/html'],
    ['/r', 404, 'text/html'],
    ['/merchant', 401, 'application/problem+json'],
    ['/merchant/v1', 401, 'application/problem+json'],
    ['/hooks', 404, 'application/problem+json'],
    ['/health/', 200, 'application/json'],
    ['/v1/payment//', 403, 'application/problem+json'],
  ]);
});
