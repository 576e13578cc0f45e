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
 * The order of the shopper's cart, which stays the same over a reload. A real shop has it in the shopper's session.
 * @param {Request} request
 * @param {Response} response
 * @param {boolean} [isNew]
 */
function orderOf(request, response, isNew = false) {
  const [, known] = /(?:^|; )cart=(S-[\da-f-]{36})(?:;|$)/.exec(request.headers.cookie ?? '') ?? [];
  const order = (!isNew && known) || `S-${crypto.randomUUID()}`;
  response.setHeader('set-cookie', `cart=${order}; Path=/; HttpOnly; SameSite=Lax; Max-Age=259200`);
  return order;
}

/** GET /new: the next purchase gets an order of its own. @param {Request} request @param {Response} response */
function startAgain(request, response) {
  orderOf(request, response, true);
  response.writeHead(303, {location: '/'}).end();
}

/**
 * GET /: shows the checkout. The server sets the price, so the page cannot change the price.
 * @param {string} order @param {Response} response
 */
async function showCheckout(order, response) {
  if (!orders.has(order)) orders.set(order, 'waiting');
  const {token} = await vezne.sessions.create({kind: 'payment', origin, service, order, amount: '149.90'});
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(`<!doctype html>
<html lang="tr">
<meta name="viewport" content="width=device-width">
<title>Lamba</title>
<h1>Ahşap masa lambası</h1>
<link rel="stylesheet" href="${url}/vezne.css">
<script type="module" src="${url}/vezne.js"></script>
<vezne-checkout session="${token}">
  <span>Banka listesi açılmazsa bizi arayın: 0850 000 00 00.</span>
  <a slot="paid" hidden href="/new">Yeni sipariş ver</a>
</vezne-checkout>
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
    else if (first === 'new') startAgain(request, response);
    else if (first === '') await showCheckout(orderOf(request, response), response);
    else showOrder(second, response);
  } catch (error) {
    process.stderr.write(`${error}\n`);
    response.writeHead(error instanceof WebhookError ? 400 : 502).end();
  }
}).listen(Number(port), 'localhost', () => process.stdout.write(`The shop is running at ${origin}\n`));
