// @ts-check
// A shop's server in one file: a page with the checkout, and a webhook handler that marks paid orders as delivered.
// This example keeps orders in memory; a real shop keeps them in a database. Set VEZNE_URL, VEZNE_KEY and
// VEZNE_WEBHOOK_SECRET, then run: node shop.mjs

import {createServer} from 'node:http';
import process from 'node:process';
import {Vezne, verifyWebhook, WebhookError} from 'vezne/merchant';

const {
  VEZNE_URL: url = '',
  VEZNE_KEY: key = '',
  VEZNE_WEBHOOK_SECRET: secret = '',
  SERVICE: service = 'DEMO',
  PORT: port = '8080',
} = process.env;
const {ORIGIN: origin = `http://localhost:${port}`} = process.env;

if (!url || !key || !secret) throw new Error('Set VEZNE_URL, VEZNE_KEY and VEZNE_WEBHOOK_SECRET.');

const vezne = new Vezne({url, key});

/** @type {Map<string, 'waiting' | 'delivered'>} */
const orders = new Map();
/** Ids of processed events. @type {Set<string>} */
const seen = new Set();

/** @typedef {import('node:http').IncomingMessage} Request @typedef {import('node:http').ServerResponse} Response */

/**
 * GET /: shows the checkout. The server sets the price, so the page cannot change the price.
 * @param {Response} response
 */
async function showCheckout(response) {
  const order = `S-${crypto.randomUUID()}`;
  orders.set(order, 'waiting');
  const {token} = await vezne.sessions.create({kind: 'payment', origin, service, order, amount: '149.90'});
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(`<!doctype html>
<html lang="tr">
<meta name="viewport" content="width=device-width">
<title>Lamba</title>
<h1>Ahşap masa lambası</h1>
<link rel="stylesheet" href="${url}/vezne.css">
<script type="module" src="${url}/vezne.js"></script>
<vezne-checkout session="${token}"><span>Banka listesi açılmazsa bizi arayın: 0850 000 00 00.</span></vezne-checkout>
<p><a href="/orders/${order}">${order}</a></p>`);
}

/** GET /orders/<order>: shows an order's state. @param {string} order @param {Response} response */
function showOrder(order, response) {
  const state = orders.get(order);
  response.writeHead(state ? 200 : 404).end(state ?? 'This order does not exist.');
}

/**
 * POST /vezne: receives an event. The Worker retries until it gets a 2xx status, so this function answers only after it
 * has processed the event.
 * @param {Request} request @param {Response} response
 */
async function handleEvent(request, response) {
  const event = await verifyWebhook({secret, headers: request.headers, body: Buffer.concat(await request.toArray())});
  if (!seen.has(event.id)) {
    if (event.type === 'payment.received' || event.type === 'payment.overpaid')
      orders.set(event.data.order, 'delivered');
    seen.add(event.id);
  }
  response.writeHead(204).end();
}

createServer(async (request, response) => {
  try {
    const [, first = '', second = ''] = (request.url ?? '').split('/');
    if (request.method === 'POST' && first === 'vezne') await handleEvent(request, response);
    else if (first === '') await showCheckout(response);
    else showOrder(second, response);
  } catch (error) {
    process.stderr.write(`${error}\n`);
    response.writeHead(error instanceof WebhookError ? 400 : 502).end();
  }
}).listen(Number(port), 'localhost', () => process.stdout.write(`The shop is running at ${origin}\n`));
