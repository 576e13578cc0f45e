/** The checks that read what the Worker's own Durable Objects have recorded. They do not call the platform. */

import type {Config} from '../config/config.ts';
import type {LimitRefusals} from '../http/refusal-reporter.ts';
import type {WebhookView} from '../objects/events/webhook-view.ts';
import {checkKeys, type ExaminedKey} from './check-keys.ts';
import {checkLimits} from './check-limits.ts';
import {checkWebhooks} from './check-webhooks.ts';

export interface ObjectReports {
  readonly webhooks: () => Promise<WebhookView[]>;
  /** Reads how often limits refused shoppers in the last minutes; null if the object that counts does not answer. */
  readonly refusals: () => Promise<readonly LimitRefusals[] | null>;
  /** Returns the API keys; null if they cannot be read. */
  readonly keys: () => Promise<readonly ExaminedKey[] | null>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export async function checkObjects(config: Config, {webhooks, refusals, keys, now}: ObjectReports) {
  return {
    limits: checkLimits(config, await refusals()),
    keys: checkKeys(await keys(), now()),
    webhooks: await checkWebhooks(webhooks, config.isSandbox),
  };
}
