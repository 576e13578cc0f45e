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

createServer(async (_request, response) => {
  try {
    const order = `S-${crypto.randomUUID()}`;
    const {token} = await vezne.sessions.create({kind: 'payment', origin, service: 'DEMO', order, amount: '149.90'});
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(page.replace('{{session}}', token));
  } catch (error) {
    process.stderr.write(`${error}\n`);
    response.writeHead(502).end();
  }
}).listen(Number(port), () => process.stdout.write(`The shop is running at ${origin}\n`));
