// The shop's server. It makes the session, because only the server says what the shopper pays, and serves the page.

import {createServer} from 'node:http';
import process from 'node:process';
import {Vezne} from 'vezne/merchant';
import {createServer as createVite} from 'vite';

const {VEZNE_URL: worker = 'http://localhost:5173', VEZNE_KEY: key, PORT: port = '8000'} = process.env;
const origin = `http://localhost:${port}`;
const vezne = new Vezne({url: worker, key});

const server = createServer(async (request, response) => {
  if (request.url !== '/session') return vite.middlewares(request, response);
  try {
    const order = `S-${crypto.randomUUID()}`;
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
