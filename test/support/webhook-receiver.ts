/**
 * A merchant's server that takes webhooks at `/`, checks them with the public library and remembers what it was sent. Tests
 * that run in workerd talk to it by HTTP: `/plan` says how it behaves, `/heard` shows what came, `/empty` forgets it.
 */

import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {Webhook} from 'standardwebhooks';
import type {TestProject} from 'vitest/node';
import {type ReceivedWebhook, type ReceiverPlan, SECRET} from './webhook-inbox.ts';

interface Inbox {
  plan: ReceiverPlan;
  readonly heard: ReceivedWebhook[];
  readonly held: ServerResponse[];
  /** Counts requests, so that the same share is refused in every run. */
  count: number;
}

/** Its multiples spread over 0 to 1 evenly and without a period. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const inbox: Inbox = {plan: {}, heard: [], held: [], count: 0};
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
    case '/heard':
      return void response.end(JSON.stringify(inbox.heard));
    case '/empty': {
      inbox.heard.splice(0);
      inbox.count = 0;
      return void response.end();
    }
    case '/plan': {
      inbox.plan = JSON.parse(text) as ReceiverPlan;
      for (const held of inbox.held.splice(0)) held.writeHead(503).end();
      return void response.end();
    }
    default:
      return take(inbox, request, text, response);
  }
}

function take(inbox: Inbox, {headers}: IncomingMessage, text: string, response: ServerResponse): void {
  const {plan} = inbox;
  inbox.count += 1;
  const refused = (inbox.count * GOLDEN) % 1 < (plan.refused ?? 0);
  const taken = !plan.silent && !(refused && text.includes(plan.about ?? ''));
  inbox.heard.push({
    id: String(headers['webhook-id']),
    body: JSON.parse(text),
    genuine: isGenuine(plan, headers, text),
    taken,
    signatures: String(headers['webhook-signature']).split(' ').length,
  });
  if (plan.silent) return void inbox.held.push(response);
  response.writeHead(taken ? 204 : (plan.status ?? 503), plan.headers).end();
}

function isGenuine(
  {secret = SECRET, format}: ReceiverPlan,
  headers: IncomingMessage['headers'],
  text: string,
): boolean {
  try {
    // The library holds the time of signing against its own clock, and the Worker's stands still on a day to come.
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
