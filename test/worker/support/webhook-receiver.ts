/** Controls the merchant's server that receives webhooks, and the outbox that sends them. */

import {runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {beforeEach, inject} from 'vitest';
import {contextOf} from '../../../worker/context.ts';
import type {Outbox} from '../../../worker/objects/events/outbox.ts';
import type {ReceivedWebhook, ReceiverPlan, ReceiverStats} from '../../support/webhook-inbox.ts';

const url = inject('receiverUrl');

export const outboxObject = (): DurableObjectStub<Outbox> => contextOf(env).objects.outbox();

/** Makes the outbox refuse all events until `repairOutbox` is called. */
export const breakOutbox = (): Promise<void> =>
  runInDurableObject(
    outboxObject(),
    (_object, {storage}) => void storage.sql.exec('ALTER TABLE events RENAME TO hidden'),
  );
export const repairOutbox = (): Promise<void> =>
  runInDurableObject(
    outboxObject(),
    (_object, {storage}) => void storage.sql.exec('DROP TABLE IF EXISTS events; ALTER TABLE hidden RENAME TO events'),
  );

/** Before every test of the file: makes the receiver accept everything, and deletes the requests that it received. */
export function freshReceiver(): void {
  beforeEach(async () => {
    await setReceiver({});
    await fetch(`${url}/empty`, {method: 'POST'});
  });
}

/** Sets how the receiver behaves from now on. */
export async function setReceiver(plan: ReceiverPlan): Promise<void> {
  await fetch(`${url}/plan`, {method: 'POST', body: JSON.stringify(plan)});
}

export async function receivedRequests(): Promise<ReceivedWebhook[]> {
  const response = await fetch(`${url}/received`);
  return response.json();
}

export async function receiverStats(): Promise<ReceiverStats> {
  const response = await fetch(`${url}/stats`);
  return response.json();
}

/** The URL of the receiver with this path. */
export const receiverUrl = (path: string): string => `${url}${path}`;

/** Runs the outbox's alarm now, which delivers due events; returns false when no alarm is planned. */
export const deliver = (): Promise<boolean> => runDurableObjectAlarm(outboxObject());
