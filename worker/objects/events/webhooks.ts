/**
 * The webhooks of an outbox: the webhook of `WEBHOOK_URL`, and the webhooks that the merchant API created. The secrets
 * of the created webhooks are sealed with `SESSION_SECRET`, so only the Worker can sign with them.
 */

import type {Config} from '../../config/config.ts';
import {parseWebhookSecret, type Webhook} from '../../config/notifications.ts';
import {isWithin, type ServiceLimit} from '../../config/service-limit.ts';
import {openText, packSealed, sealText, toHex, unpackSealed} from '../../lib/crypto.ts';
import {earlierSecrets, type StoredWebhook, type WebhookStore} from './webhook-store.ts';
import {CONFIGURED_WEBHOOK, parseServices} from './webhook-view.ts';

/** How many webhooks the merchant API may create. */
export const MAX_WEBHOOKS = 10;
/** How many of them a caller with a limit may see when it creates one, so that places are left for other shops. */
const MAX_WEBHOOKS_OF_SHOP = 5;
/** How many secrets of a webhook may sign at the same time. */
const MAX_SECRETS = 5;
const SECRET_BYTES = 32;
const ID_BYTES = 12;

/** What the merchant API may change. */
export interface WebhookSettings {
  readonly url: string;
  readonly types: readonly string[] | null;
  readonly services: ServiceLimit;
  readonly enabled: boolean;
}

/** The settings to change; the others stay. */
export type WebhookChanges = {readonly [K in keyof WebhookSettings]?: WebhookSettings[K] | undefined};

/** A new version of a webhook, before it is stored. */
export interface WebhookDraft {
  readonly webhook: StoredWebhook;
  /** The new secret; null if the secret stays the same. */
  readonly secret: string | null;
}

/**
 * The webhook to which an event is sent, the reason why the event cannot be sent, or null if the webhook gets no
 * events.
 */
export type Target = Webhook | 'secret_unreadable' | null;

/** What decides which webhooks get an event. */
export interface ReceivedEvent {
  readonly type: string;
  readonly data: object;
}

export class Webhooks {
  /** The decrypted keys of webhooks, by their sealed text. */
  readonly #opened = new Map<string, Uint8Array<ArrayBuffer>>();

  constructor(
    private readonly store: WebhookStore,
    private readonly config: () => Config,
  ) {}

  /**
   * The ids of the webhooks that get this event. Every enabled webhook gets `webhook.changed` of webhooks that are
   * limited to its services.
   * @param evenOtherTypes - Whether the webhooks' types do not matter.
   */
  receiversOf({type, data}: ReceivedEvent, evenOtherTypes = false): string[] {
    const created = this.store
      .list()
      .filter(
        ({enabled, types, services}) =>
          enabled === 1 && (evenOtherTypes || accepts(types, type)) && isWithin(parseServices(services), data),
      );
    return [...(this.config().webhook ? [CONFIGURED_WEBHOOK] : []), ...created.map(({id}) => id)];
  }

  /** Where an event for the webhook is sent, and with which keys it is signed. */
  async target(id: string, options: {readonly evenDisabled: boolean} = {evenDisabled: false}): Promise<Target> {
    if (id === CONFIGURED_WEBHOOK) return this.config().webhook;
    const webhook = this.store.find(id);
    if (!webhook || (webhook.enabled === 0 && !options.evenDisabled)) return null;
    const current = await this.#open(id, webhook.secret);
    if (!current) return 'secret_unreadable';
    const earlier = earlierSecrets(webhook, Date.now()).map(({secret}) => this.#open(id, secret));
    return {url: webhook.url, keys: [current, ...(await Promise.all(earlier)).filter((key) => key !== null)]};
  }

  /**
   * Opens every secret. If a secret was sealed with the previous `SESSION_SECRET`, opening the secret seals it again
   * with the current `SESSION_SECRET`.
   */
  async reseal(): Promise<void> {
    await Promise.all(this.store.list().map(({id}) => this.target(id, {evenDisabled: true})));
  }

  /** Whether a caller with this limit may create no more webhooks. */
  isFull(limit: ServiceLimit): boolean {
    const isShopFull = limit !== null && this.ids(limit).length >= MAX_WEBHOOKS_OF_SHOP;
    return isShopFull || this.store.list().length >= MAX_WEBHOOKS;
  }

  /** The ids of the webhooks that exist for a caller with this limit. */
  ids(limit: ServiceLimit): string[] {
    const stored = this.store.list().filter(({services}) => isWithin(limit, {services: parseServices(services)}));
    return [...(limit === null ? [CONFIGURED_WEBHOOK] : []), ...stored.map(({id}) => id)];
  }

  async draft(settings: WebhookSettings, now: number): Promise<WebhookDraft> {
    const id = `wh_${toHex(crypto.getRandomValues(new Uint8Array(ID_BYTES)).buffer)}`;
    const {secret, sealed} = await this.#newSecret(id);
    const unset = {id, secret: sealed, earlier: '[]', version: 0, created_at: now} as StoredWebhook;
    return {webhook: this.change(unset, settings, now), secret};
  }

  change(webhook: StoredWebhook, {url, types, services, enabled}: WebhookChanges, now: number): StoredWebhook {
    return {
      ...webhook,
      ...(url !== undefined && {url}),
      ...(types !== undefined && {types: types && JSON.stringify(types)}),
      ...(services !== undefined && {services: services && JSON.stringify(services)}),
      ...(enabled !== undefined && {enabled: enabled ? 1 : 0}),
      version: webhook.version + 1,
      changed_at: now,
    };
  }

  /**
   * Every earlier secret goes on signing until its own time, because a receiver may have missed a rotation. Returns null
   * if too many secrets would sign.
   * @param overlapMs - For how long events are signed with the replaced secret too.
   */
  async rotate(webhook: StoredWebhook, overlapMs: number, now: number): Promise<WebhookDraft | null> {
    const replaced = overlapMs > 0 ? [{secret: webhook.secret, until: now + overlapMs}] : [];
    const earlier = [...replaced, ...earlierSecrets(webhook, now)];
    if (1 + earlier.length > MAX_SECRETS) return null;
    const {secret, sealed} = await this.#newSecret(webhook.id);
    return {
      webhook: {
        ...webhook,
        secret: sealed,
        earlier: JSON.stringify(earlier),
        version: webhook.version + 1,
        changed_at: now,
      },
      secret,
    };
  }

  async #newSecret(id: string): Promise<{secret: string; sealed: string}> {
    const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
    const secret = `whsec_${toBase64(bytes)}`;
    return {secret, sealed: await this.#seal(id, secret)};
  }

  async #seal(id: string, secret: string): Promise<string> {
    return packSealed(await sealText(this.config().sessionSecrets[0], purpose(id), secret));
  }

  async #open(id: string, sealed: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const known = this.#opened.get(sealed);
    if (known) return known;
    const {sessionSecrets} = this.config();
    const opened = await Promise.all(sessionSecrets.map((one) => openText(one, purpose(id), unpackSealed(sealed))));
    const secret = opened.find((one) => one !== null);
    const key = secret === undefined ? null : parseWebhookSecret(secret);
    if (secret === undefined || key === null) return null;
    const text = opened[0] === null ? await this.#seal(id, secret) : sealed;
    // The webhook may have changed while this method waited for the key.
    const now = this.store.find(id);
    if (text !== sealed && now) this.store.put(withResealed(now, sealed, text));
    this.#opened.set(text, key);
    return key;
  }
}

/** The sealed texts are base64, so each is text of the JSON list as it is. */
const withResealed = (webhook: StoredWebhook, sealed: string, text: string): StoredWebhook => ({
  ...webhook,
  secret: webhook.secret === sealed ? text : webhook.secret,
  earlier: webhook.earlier.replace(JSON.stringify(sealed), JSON.stringify(text)),
});

const purpose = (id: string): string => `webhook ${id}`;

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** @param types - JSON, as stored. */
function accepts(types: string | null, type: string): boolean {
  return types === null || type === 'webhook.changed' || (JSON.parse(types) as string[]).includes(type);
}
