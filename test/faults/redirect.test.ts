/** A platform that redirects the Worker to another host. The Worker must not send the merchant id and token there. */

import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, beforeEach, expect, inject, test} from 'vitest';
import {Page} from './support/page.ts';
import {planWorker} from './support/worker-plans.ts';
import {Workerd} from './support/workerd.ts';

let platform: Server;
let otherHost: Server;
let workers: Workerd;
let visits: number;

const STATUSES = [301, 302, 303, 307, 308];

const originOf = (server: Server) => `http://localhost:${(server.address() as AddressInfo).port}`;
const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

beforeAll(async () => {
  otherHost = createServer((_request, response) => {
    visits += 1;
    response.end('{"status":"000","message":"Success","token":"t","order":"881200450017","banks":[]}');
  });
  // The first path segment is the status of the redirect. Only requests for a token are answered without a redirect.
  platform = createServer((request, response) => {
    const [, status, ...rest] = (request.url ?? '').split('/');
    if (rest.join('/') === 'phs/getToken') response.end('{"status":"000","message":"Success","token":"t"}');
    else response.writeHead(Number(status), {location: `${originOf(otherHost)}/${rest.join('/')}`}).end();
  });
  await Promise.all([listen(otherHost), listen(platform)]);
  workers = await Workerd.start(
    STATUSES.map((status) => planWorker(String(status), inject('bundles'), `${originOf(platform)}/${status}`)),
  );
});

beforeEach(() => {
  visits = 0;
});

afterAll(async () => {
  await workers.stop();
  for (const server of [platform, otherHost]) {
    server.closeAllConnections();
    server.close();
  }
});

test.for(STATUSES)(
  'the Worker does not follow a redirect with status %i to another host, and the page gets 503 with Retry-After',
  async (status) => {
    const page = new Page(workers.url(String(status)));
    const answers = await Promise.all([page.listBanks(), page.requestOrderCode(await page.openSession())]);
    expect(answers.map((answer) => [answer.status, answer.retryAfter, (answer.body as {code: string}).code])).toEqual([
      [503, 5, 'temporarily_unavailable'],
      [503, 5, 'temporarily_unavailable'],
    ]);
    expect(visits).toBe(0);
  },
);
