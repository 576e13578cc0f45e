// @ts-check
// Serves the page with a session: only the server says what the shopper pays.

import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import process from 'node:process';
import {Vezne} from 'vezne/merchant';

const {VEZNE_URL: url = 'http://localhost:5173', VEZNE_KEY: key, PORT: port = '8000'} = process.env;
const origin = `http://localhost:${port}`;
const vezne = new Vezne({url, key});
const page = readFileSync(new URL('page.html', import.meta.url), 'utf8').replaceAll('{{worker}}', url);

/**
 * The order of the shopper's cart, which stays the same over a reload. A real shop has it in the shopper's session.
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {boolean} [isNew]
 */
function orderOf(request, response, isNew = false) {
  const [, known] = /(?:^|; )cart=(S-[\da-f-]{36})(?:;|$)/.exec(request.headers.cookie ?? '') ?? [];
  const order = (!isNew && known) || `S-${crypto.randomUUID()}`;
  response.setHeader('set-cookie', `cart=${order}; Path=/; HttpOnly; SameSite=Lax; Max-Age=259200`);
  return order;
}

createServer(async (request, response) => {
  try {
    const isNew = request.url === '/new';
    const order = orderOf(request, response, isNew);
    if (isNew) return void response.writeHead(303, {location: '/'}).end();
    const {token} = await vezne.sessions.create({kind: 'payment', origin, service: 'DEMO', order, amount: '149.90'});
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(page.replace('{{session}}', token));
  } catch (error) {
    process.stderr.write(`${error}\n`);
    response.writeHead(502).end();
  }
}).listen(Number(port), () => process.stdout.write(`The shop is running at ${origin}\n`));
