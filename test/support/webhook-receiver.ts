/**
 * A merchant's server that receives webhooks, verifies them with the library `standardwebhooks` and stores them. Tests
 * that run in workerd control this server over HTTP: `/plan` sets its behavior, `/received` lists the webhooks,
 * `/stats` returns measurements, and `/empty` deletes the webhooks and the measurements.
 */

import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {Webhook} from 'standardwebhooks';
import type {TestProject} from 'vitest/node';
import {type ReceivedWebhook, type ReceiverPlan, type ReceiverStats, SECRET} from './webhook-inbox.ts';

interface Inbox {
  /** How the receiver behaves, by path. The empty path stands for all other paths. */
  readonly plans: Map<string, ReceiverPlan>;
  readonly received: ReceivedWebhook[];
  /** Requests that wait for an answer because the plan is `silent`. */
  readonly unanswered: {readonly path: string; readonly response: ServerResponse}[];
  /** The number of requests so far. It decides which requests are refused, so every run refuses the same requests. */
  count: number;
  running: number;
  stats: Omit<ReceiverStats, 'received'>;
}

const NO_STATS: Inbox['stats'] = {firstAt: 0, lastAt: 0, peak: 0};

/** The golden ratio. The fractional parts of its multiples spread evenly between 0 and 1 and never repeat. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const inbox: Inbox = {
    plans: new Map(),
    received: [],
    unanswered: [],
    count: 0,
    running: 0,
    stats: NO_STATS,
  };
  const server = createServer((request, response) => void answer(request, response, inbox));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  project.provide('receiverUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, inbox: Inbox): Promise<void> {
  const text = await readBody(request);
  switch (request.url) {
    case '/received':
      return void response.end(JSON.stringify(inbox.received));
    case '/empty': {
      inbox.received.splice(0);
      inbox.count = 0;
      inbox.stats = NO_STATS;
      return void response.end();
    }
    case '/stats':
      return void response.end(
        JSON.stringify({...inbox.stats, received: inbox.received.length} satisfies ReceiverStats),
      );
    case '/plan': {
      const plan = JSON.parse(text) as ReceiverPlan;
      // A plan without a path ends the plans of single paths.
      if (plan.path === undefined) inbox.plans.clear();
      inbox.plans.set(plan.path ?? '', plan);
      for (const unanswered of inbox.unanswered.splice(0)) {
        if (plan.path === undefined || plan.path === unanswered.path) unanswered.response.writeHead(503).end();
        else inbox.unanswered.push(unanswered);
      }
      return void response.end();
    }
    default:
      return receive(inbox, request, text, response);
  }
}

function receive(inbox: Inbox, {headers, url = '/'}: IncomingMessage, text: string, response: ServerResponse): void {
  const plan = inbox.plans.get(url) ?? inbox.plans.get('') ?? {};
  inbox.count += 1;
  const refused = (inbox.count * GOLDEN) % 1 < (plan.refused ?? 0);
  const taken = !plan.silent && !(refused && text.includes(plan.about ?? ''));
  inbox.received.push({
    id: String(headers['webhook-id']),
    body: JSON.parse(text),
    genuine: isGenuine(plan, headers, text),
    taken,
    signatures: String(headers['webhook-signature']).split(' ').length,
    ...(plan.secrets && {verifying: plan.secrets.filter((secret) => isGenuine({...plan, secret}, headers, text))}),
    ...(url !== '/' && {path: url}),
  });
  if (plan.silent) return void inbox.unanswered.push({path: url, response});
  inbox.running += 1;
  const now = performance.now();
  const {firstAt, peak} = inbox.stats;
  inbox.stats = {firstAt: firstAt || now, lastAt: now, peak: Math.max(peak, inbox.running)};
  setTimeout(() => {
    inbox.running -= 1;
    response.writeHead(taken ? 204 : (plan.status ?? 503), plan.headers).end();
  }, plan.delayMs ?? 0);
}

function isGenuine(
  {secret = SECRET, format}: ReceiverPlan,
  headers: IncomingMessage['headers'],
  text: string,
): boolean {
  try {
    // The library compares the time of signing with the system clock, but the Worker's clock is fixed at a future day.
    const timestamp = Number(headers['webhook-timestamp']) * 1000;
    const now = Date.now;
    Date.now = () => timestamp;
    try {
      new Webhook(secret, format && {format}).verify(text, headers as Record<string, string>);
    } finally {
      Date.now = now;
    }
    return true;
  } catch {
    return false;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}
