// @ts-check
// A marketplace's server in one file: a basket with goods of three vendors, which one transfer pays, and goods of one
// vendor that come back. Set VEZNE_URL and VEZNE_KEY, then run: node marketplace.mjs

import {createServer} from 'node:http';
import process from 'node:process';
import {Vezne, VezneError} from 'vezne/merchant';

const {VEZNE_URL: url = '', VEZNE_KEY: key = '', SERVICE: service = 'DEMO', PORT: port = '8080'} = process.env;
const {ORIGIN: origin = `http://localhost:${port}`} = process.env;

if (!url || !key) throw new Error('Set VEZNE_URL and VEZNE_KEY.');

const vezne = new Vezne({url, key});

/** The basket. `vendor` is the platform's id of the sub-merchant; prices are kuruş, so that sums are exact. */
const basket = [
  {vendor: '31', item: 'Seramik lamba', price: 100_00},
  {vendor: '32', item: 'Keten örtü', price: 49_90},
  {vendor: '33', item: 'Hasır sepet', price: 20_00},
];
/** The marketplace keeps a tenth of each price. @param {number} price */
const feeOf = (price) => Math.round(price / 10);
/** @param {number} kurus */
const toText = (kurus) => (kurus / 100).toFixed(2);

/** @typedef {import('node:http').IncomingMessage} Request @typedef {import('node:http').ServerResponse} Response */

/**
 * The order of the shopper's cart, which stays the same over a reload. A real shop has it in the shopper's session.
 * @param {Request} request
 * @param {Response} response
 * @param {boolean} [isNew]
 */
function orderOf(request, response, isNew = false) {
  const [, known] = /(?:^|; )cart=(M-[\da-f-]{36})(?:;|$)/.exec(request.headers.cookie ?? '') ?? [];
  const order = (!isNew && known) || `M-${crypto.randomUUID()}`;
  response.setHeader('set-cookie', `cart=${order}; Path=/; HttpOnly; SameSite=Lax; Max-Age=259200`);
  return order;
}

/** GET /new: the next purchase gets an order of its own. @param {Request} request @param {Response} response */
function startAgain(request, response) {
  orderOf(request, response, true);
  response.writeHead(303, {location: '/'}).end();
}

/** GET /: shows the checkout, with one order code for the whole basket. @param {string} order @param {Response} response */
async function showCheckout(order, response) {
  const parts = basket.map(({vendor, price}) => ({
    sub_merchant_id: vendor,
    amount: toText(price),
    payout: toText(price - feeOf(price)),
    fee: toText(feeOf(price)),
  }));
  const amount = toText(basket.reduce((sum, {price}) => sum + price, 0));
  const {token} = await vezne.sessions.create({kind: 'payment', origin, service, order, amount, parts});
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(`<!doctype html>
<html lang="tr">
<meta name="viewport" content="width=device-width">
<title>Sepet</title>
<h1>${basket.map(({item}) => item).join(', ')}</h1>
<link rel="stylesheet" href="${url}/vezne.css">
<script type="module" src="${url}/vezne.js"></script>
<vezne-checkout session="${token}">
  <span>Banka listesi açılmazsa bizi arayın: 0850 000 00 00.</span>
  <a slot="paid" hidden href="/new">Yeni sipariş ver</a>
</vezne-checkout>
<p><a href="/orders/${order}">${order}</a></p>`);
}

/** GET /orders/<order>: shows what each vendor gets. @param {string} order @param {Response} response */
async function showOrder(order, response) {
  const {payment, parts, refunds} = await vezne.orders.get({service, order});
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({state: payment?.state, parts, refunds}));
}

/**
 * POST /orders/<order>: goods of one vendor came back, so the shopper gets `amount` back. `return` is the marketplace's
 * number of this return, and part of the idempotency key: a request that is repeated refunds nothing again, and a second
 * return of the same vendor is refunded too.
 * @param {string} order @param {Request} request @param {Response} response
 */
async function returnGoods(order, request, response) {
  const {return: number, vendor, amount, name, iban} = JSON.parse(Buffer.concat(await request.toArray()).toString());
  if (!basket.some((each) => each.vendor === vendor)) {
    response.writeHead(422).end('The basket has no such vendor.');
    return;
  }
  const refund = {service, order, amount, contact: {name, iban}, sub_merchant_id: vendor};
  const {id} = await vezne.refunds.create(refund, {idempotencyKey: `return-${order}-${number}`});
  response.writeHead(201).end(id);
}

/** What was wrong with the request is the caller's fault; any other refusal of the Worker is ours. @param {unknown} error */
function statusOf(error) {
  if (error instanceof SyntaxError) return 400;
  const status = error instanceof VezneError ? (error.status ?? 502) : 500;
  return [404, 409, 422].includes(status) ? status : 502;
}

createServer(async (request, response) => {
  try {
    const [, first = '', order = ''] = (request.url ?? '').split('/');
    if (first === 'new') return startAgain(request, response);
    if (first === '') await showCheckout(orderOf(request, response), response);
    else if (request.method === 'POST') await returnGoods(order, request, response);
    else await showOrder(order, response);
  } catch (error) {
    process.stderr.write(`${error}\n`);
    response.writeHead(statusOf(error)).end(error instanceof VezneError ? error.code : '');
  }
}).listen(Number(port), 'localhost', () => process.stdout.write(`The marketplace is running at ${origin}\n`));
