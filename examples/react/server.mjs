// The shop's server. It makes the session, because only the server says what the shopper pays, and serves the page.

import {createServer} from 'node:http';
import process from 'node:process';
import {Vezne} from 'vezne/merchant';
import {createServer as createVite} from 'vite';

const {VEZNE_URL: worker = 'http://localhost:5173', VEZNE_KEY: key, PORT: port = '8000'} = process.env;
const origin = `http://localhost:${port}`;
const vezne = new Vezne({url: worker, key});

/**
 * The order of the shopper's cart, which stays the same over a reload. A real shop has it in the shopper's session.
 */
function orderOf(request, response, isNew = false) {
  const [, known] = /(?:^|; )cart=(S-[\da-f-]{36})(?:;|$)/.exec(request.headers.cookie ?? '') ?? [];
  const order = (!isNew && known) || `S-${crypto.randomUUID()}`;
  response.setHeader('set-cookie', `cart=${order}; Path=/; HttpOnly; SameSite=Lax; Max-Age=259200`);
  return order;
}

const server = createServer(async (request, response) => {
  if (request.url === '/new') {
    orderOf(request, response, true);
    return void response.writeHead(303, {location: '/'}).end();
  }
  if (request.url !== '/session') return vite.middlewares(request, response);
  try {
    const order = orderOf(request, response);
    const {token} = await vezne.sessions.create({kind: 'payment', origin, service: 'DEMO', order, amount: '149.90'});
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({worker, session: token}));
  } catch (error) {
    process.stderr.write(`${error}\n`);
    response.writeHead(502).end();
  }
});
const vite = await createVite({server: {middlewareMode: true, hmr: {server}}});
server.listen(Number(port), () => process.stdout.write(`The shop is running at ${origin}\n`));
