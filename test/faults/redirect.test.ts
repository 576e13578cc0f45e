/** A platform that sends the Worker elsewhere: merchant id and token must not go along. */

import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, beforeEach, expect, inject, test} from 'vitest';
import {Page} from './support/page.ts';
import {planWorker} from './support/worker-plans.ts';
import {Workerd} from './support/workerd.ts';

let platform: Server;
let elsewhere: Server;
let workers: Workerd;
let visits: number;

const STATUSES = [301, 302, 303, 307, 308];

const originOf = (server: Server) => `http://localhost:${(server.address() as AddressInfo).port}`;
const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

beforeAll(async () => {
  elsewhere = createServer((_request, response) => {
    visits += 1;
    response.end('{"status":"000","message":"Success","token":"t","order":"881200450017","banks":[]}');
  });
  // Its paths begin with the status it redirects by; only tokens are given at once.
  platform = createServer((request, response) => {
    const [, status, ...rest] = (request.url ?? '').split('/');
    if (rest.join('/') === 'phs/getToken') response.end('{"status":"000","message":"Success","token":"t"}');
    else response.writeHead(Number(status), {location: `${originOf(elsewhere)}/${rest.join('/')}`}).end();
  });
  await Promise.all([listen(elsewhere), listen(platform)]);
  workers = await Workerd.start(
    STATUSES.map((status) => planWorker(String(status), inject('bundles'), `${originOf(platform)}/${status}`)),
  );
});

beforeEach(() => {
  visits = 0;
});

afterAll(async () => {
  await workers.stop();
  for (const server of [platform, elsewhere]) {
    server.closeAllConnections();
    server.close();
  }
});

test.for(STATUSES)('%i to another host is not followed, and the page is told to come back', async (status) => {
  const page = new Page(workers.url(String(status)));
  const answers = await Promise.all([page.askBanks(), page.askOrderCode(await page.openSession())]);
  expect(answers.map((answer) => [answer.status, answer.retryAfter, (answer.body as {code: string}).code])).toEqual([
    [503, 5, 'temporarily_unavailable'],
    [503, 5, 'temporarily_unavailable'],
  ]);
  expect(visits).toBe(0);
});
