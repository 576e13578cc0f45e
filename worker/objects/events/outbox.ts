import type * as z from 'zod/mini';
import {isWithin, type ServiceLimit} from '../../config/service-limit.ts';
import {contextOf} from '../../context.ts';
import type {DeadEvent as DeadEventAnswer} from '../../contract/merchant/event-feed.ts';
import type {EventData, MerchantEvent} from '../../contract/merchant/events.ts';
import {digest} from '../../lib/crypto.ts';
import {DAY_MS, HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {formatInstant} from '../../lib/time.ts';
import {endOfRetention} from '../schedule.ts';
import {StoredObject} from '../stored-object.ts';
import {
  type AcceptedDelivery,
  type DeliveryBacklog,
  type DeliveryState,
  DeliveryStore,
  type StoredDelivery,
  type Visible,
} from './delivery-store.ts';
import {type Entry, eventOf} from './entry.ts';
import {DeliveryRuns} from './event-delivery.ts';
import {type NewEvent, eventSubject} from './event.ts';
import {type AppendedEvent, type EventFilter, type EventPage, OUTBOX, OutboxStore, type Page} from './outbox-store.ts';
import {Passing} from './passing.ts';
import {type DeliveryResult, failedDelivery} from './sender.ts';
import {type StoredWebhook, WebhookStore} from './webhook-store.ts';
import {CONFIGURED_WEBHOOK, parseServices, type WebhookView, viewConfigured, viewStored} from './webhook-view.ts';
import {
  type ReceivedEvent,
  type WebhookChanges,
  type WebhookDraft,
  Webhooks,
  type WebhookSettings,
} from './webhooks.ts';

export interface DeadPage extends Page {
  readonly items: z.infer<typeof DeadEventAnswer>[];
  readonly total: number;
}

export interface DeliveryPage extends Page {
  readonly items: StoredDelivery[];
}

/** A webhook with its new secret. */
export interface WebhookWithSecret {
  readonly webhook: WebhookView;
  readonly secret: string | null;
}

/** Which deliveries to list. A field that is null does not filter. */
export interface DeliveryFilter {
  readonly webhook: string | null;
  readonly state: DeliveryState | null;
  /** The caller's services. Other events and webhooks do not exist for the caller. */
  readonly limit: ServiceLimit;
  /** The services whose events are asked for; by default, the caller's. */
  readonly services?: ServiceLimit;
}

type WebhookChange = EventData<'webhook.changed'>['change'];

const PAGE_LENGTH = 100;
/** How long an event can be read after it was appended. */
const RETENTION_MS = 30 * DAY_MS;
/** Old events are deleted together, at most so much later. */
const CLEANUP_INTERVAL_MS = HOUR_MS;

/**
 * Keeps all events of one merchant in one sequence, which can be read as a feed, and delivers the events to the
 * webhooks: the webhook of `WEBHOOK_URL`, and the webhooks that the merchant API created.
 *
 * A caller of `append` keeps its events until `append` has returned, and appends them again if `append` fails. The ids
 * of events are derived from what happened, so a repeated `append` adds nothing. `append` returns after the rows are on
 * disk. If the process dies after the merchant accepted an event, but before this is stored, the event is sent twice,
 * with the same id. A change of a webhook and its event `webhook.changed` are written in one turn.
 */
export class Outbox extends StoredObject {
  static override readonly schemas = [OUTBOX];

  readonly #events = new OutboxStore(this.storage);
  readonly #deliveries = new DeliveryStore(this.storage);
  readonly #webhookStore = new WebhookStore(this.storage);
  readonly #webhooks = new Webhooks(this.#webhookStore, () => contextOf(this.env).config);
  readonly #runs = new DeliveryRuns({
    deliveries: this.#deliveries,
    store: this.#webhookStore,
    webhooks: this.#webhooks,
    sender: (webhook, index) => contextOf(this.env).objects.sender(webhook, String(index)),
  });

  readonly #passing = new Passing(this.storage, () => contextOf(this.env).objects);

  protected override readonly tasks = {
    archive: this.#passing.task,
    /** Events that are being sent count as due. */
    deliveries: {
      retry: {firstMs: MINUTE_MS, maxMs: HOUR_MS},
      dueAt: () => this.#deliveries.dueAt(),
      run: () => this.#runs.run(),
    },
    retention: {
      retry: {delaysMs: [DAY_MS]},
      dueAt: () => endOfRetention(this.#events.oldestAppendedAt(), RETENTION_MS + CLEANUP_INTERVAL_MS),
      run: () => this.#deleteOld(),
    },
  };

  /** Adds events in the given order; an event that is already stored keeps its position. */
  async append(events: readonly NewEvent[]): Promise<void> {
    const rows = await Promise.all(events.map(toRow));
    // A wrong configuration fails here, before anything is written.
    contextOf(this.env);
    this.#add(rows);
  }

  /**
   * Takes the entries of an order, oldest first: their events, and what the archive keeps of them. A caller repeats this
   * as it repeats `append`.
   * @param service - Null if the order is not stored, so that the archive does not keep it.
   */
  async receive(service: string | null, entries: readonly Entry[]): Promise<void> {
    const rows = await Promise.all(entries.flatMap((entry) => eventOf(entry) ?? []).map(toRow));
    contextOf(this.env);
    this.#add(rows);
    if (service === null) return;
    await this.#passing.take(service, entries);
    this.ctx.waitUntil(this.#passing.start(service));
  }

  /** Waits until the archive has all that was received of a service. @throws if it cannot be reached. */
  settle(service: string): Promise<void> {
    return this.#passing.settle(service);
  }

  /** @param position - The end of the previous page; 0 starts with the oldest event. */
  read(position: number, filter: EventFilter = {subject: null, type: null, limit: null}): EventPage {
    return this.#events.search(position, filter);
  }

  /** The event with this id; null if there is none. */
  find(id: string): MerchantEvent | null {
    const found = this.#events.find(id);
    return found ? parse(found.body) : null;
  }

  /** The position after the newest event, where only future events follow; 0 if there is no event. */
  end(): number {
    return this.#events.end();
  }

  /** Events that could not be delivered. */
  readDead(position: number, limit: ServiceLimit): DeadPage {
    const {items, ...page} = this.listDeliveries(position, {webhook: null, state: 'dead', limit});
    return {
      items: items.map(({body, webhook, attempts, tried_at, last_status, last_fault}) => ({
        event: parse(body),
        webhook,
        attempts,
        last_attempt_at: formatInstant(tried_at ?? 0),
        last_status,
        last_fault,
      })),
      ...page,
      total: this.#deliveries.countDead(this.#visibleTo(limit)),
    };
  }

  /** Events that wait for delivery to a webhook, or could not be delivered to it. */
  listDeliveries(position: number, {webhook, state, limit, services = limit}: DeliveryFilter): DeliveryPage {
    const visible = {...this.#visibleTo(limit), services};
    return wholeEvents(this.#deliveries.list(position, PAGE_LENGTH + 1, visible, webhook, state), position);
  }

  /** The first events of a subject, and what the merchant's servers have accepted of them, and what not yet. */
  ofSubject(
    subject: string,
    limit: ServiceLimit,
  ): {
    events: MerchantEvent[];
    deliveries: StoredDelivery[];
    accepted: AcceptedDelivery[];
  } {
    const {webhooks} = this.#visibleTo(limit);
    const {items: events} = this.#events.search(0, {subject, type: null, limit});
    const deliveries = this.#deliveries.ofSubject(webhooks ?? this.#webhooks.ids(null), subject, PAGE_LENGTH);
    return {events, deliveries, accepted: this.#deliveries.acceptedOf(webhooks, subject, PAGE_LENGTH)};
  }

  /** Removes the user from the events of these subjects. Their ids stay, so a delivery that is repeated is one event. */
  async forgetPersons(service: string, subjects: readonly string[]): Promise<void> {
    // What is on its way to the archive with a name arrives before the archive forgets it.
    await this.settle(service);
    for (const subject of subjects) this.#events.forgetPersons(subject);
  }

  backlog(): DeliveryBacklog {
    return this.#deliveries.backlog(Date.now());
  }

  /**
   * Delivers an event once more.
   * @param webhook - Id of the webhook; null for every webhook that gets events of this type.
   * @param limit - Events and webhooks of other services do not exist for the caller.
   */
  async resend(
    id: string,
    webhook: string | null,
    limit: ServiceLimit,
  ): Promise<'waiting' | 'not_found' | 'not_configured'> {
    const event = this.#events.find(id);
    if (!event || !isWithin(limit, parse(event.body).data)) return 'not_found';
    const active = this.#webhooks.receiversOf(parse(event.body), webhook !== null);
    const {webhooks} = this.#visibleTo(limit);
    const receivers = active.filter((one) => (webhook ?? one) === one && (webhooks ?? active).includes(one));
    if (receivers.length === 0) return 'not_configured';
    const now = Date.now();
    for (const receiver of receivers) {
      this.#deliveries.add(receiver, event, now);
      this.#deliveries.postpone({webhook: receiver, subject: event.subject}, now);
    }
    this.#startDue();
    return 'waiting';
  }

  /**
   * Delivers now what waits for a later attempt. The receiver gets no more at the same time than otherwise.
   * @param webhook - Id of the webhook; null for all.
   * @param limit - Events and webhooks of other services do not exist for the caller.
   */
  async resendWaiting(webhook: string | null, limit: ServiceLimit): Promise<number> {
    const count = this.#deliveries.wake(webhook, this.#visibleTo(limit), Date.now());
    this.#startDue();
    return count;
  }

  /** The webhooks that get no events but the caller's; the webhook of `WEBHOOK_URL` is the first. */
  async listWebhooks(limit: ServiceLimit = null): Promise<WebhookView[]> {
    const {webhook} = contextOf(this.env).config;
    await this.#webhooks.reseal();
    return [
      ...(webhook ? [viewConfigured(webhook, this.#stateOf(CONFIGURED_WEBHOOK))] : []),
      ...this.#webhookStore.list().map((one) => this.#view(one)),
    ].filter((view) => isWithin(limit, view));
  }

  /** Creates a webhook; returns null if there are too many webhooks. @param limit - The caller's services. */
  async createWebhook(settings: WebhookSettings, limit: ServiceLimit = null): Promise<WebhookWithSecret | null> {
    const {webhook, secret} = await this.#webhooks.draft(settings, Date.now());
    const event = await changeEvent(webhook, 'created');
    if (this.#webhooks.isFull(limit)) return null;
    this.#webhookStore.put(webhook);
    this.#add([event]);
    return {webhook: this.#view(webhook), secret};
  }

  /** Changes a webhook; returns null if there is no such webhook. */
  async updateWebhook(id: string, changes: WebhookChanges): Promise<WebhookView | null> {
    const changed = await this.#change(id, 'changed', async (webhook) => ({
      webhook: this.#webhooks.change(webhook, changes, Date.now()),
      secret: null,
    }));
    return typeof changed === 'string' ? null : changed.webhook;
  }

  /** Gives a webhook a new secret; `refused` if too many of its secrets would sign at the same time. */
  rotateSecret(id: string, overlapMs: number): Promise<WebhookWithSecret | 'not_found' | 'refused'> {
    return this.#change(id, 'secret_rotated', (webhook) => this.#webhooks.rotate(webhook, overlapMs, Date.now()));
  }

  /** Deletes a webhook and its deliveries; returns false if there is no such webhook. */
  async deleteWebhook(id: string): Promise<boolean> {
    const webhook = this.#webhookStore.find(id);
    if (!webhook) return false;
    const event = await changeEvent({...webhook, enabled: 0, version: webhook.version + 1}, 'deleted');
    this.#webhookStore.delete(id);
    this.#deliveries.forget(id);
    this.#add([event]);
    return true;
  }

  /** Sends an event to a webhook once, without storing it; returns null if there is no such webhook. */
  async testWebhook(id: string): Promise<({readonly id: string} & DeliveryResult) | null> {
    const target = await this.#webhooks.target(id, {evenDisabled: true});
    if (target === null) return null;
    const event = await toRow({type: 'webhook.test', key: crypto.randomUUID(), at: Date.now(), data: {webhook_id: id}});
    if (target === 'secret_unreadable') return {id: event.id, ...failedDelivery(target)};
    // Tests have a separate sender, so that a busy webhook does not delay them.
    const sender = contextOf(this.env).objects.sender(id, 'test');
    return {id: event.id, ...(await sender.send({...target, id: event.id, body: event.body}))};
  }

  /** @returns `retry` if an old event waits for delivery, and therefore must stay. */
  async #deleteOld(): Promise<'retry' | void> {
    const before = Date.now() - RETENTION_MS;
    this.#events.deleteBefore(before);
    if ((this.#events.oldestAppendedAt() ?? Infinity) < before) return 'retry';
  }

  /** Stores events with their deliveries. */
  #add(rows: readonly (AppendedEvent & ReceivedEvent)[]): void {
    const now = Date.now();
    for (const row of rows) {
      const event = this.#events.append(row, now);
      if (event) for (const webhook of this.#webhooks.receiversOf(row)) this.#deliveries.add(webhook, event, now);
    }
    this.#startDue();
  }

  /** Starts new events beside those that are being sent, because a running delivery may be waiting for a slow answer. */
  #startDue(): void {
    if (this.#runs.isRunning) this.#runs.startDue();
  }

  async #change(
    id: string,
    change: WebhookChange,
    apply: (webhook: StoredWebhook) => Promise<WebhookDraft | null>,
  ): Promise<WebhookWithSecret | 'not_found' | 'refused'> {
    for (;;) {
      const before = this.#webhookStore.find(id);
      if (!before) return 'not_found';
      const draft = await apply(before);
      if (!draft) return 'refused';
      const {webhook, secret} = draft;
      const event = await changeEvent(webhook, change);
      // Another change may have been stored while this change waited. In that case, this change starts again.
      if (this.#webhookStore.find(id)?.version !== before.version) continue;
      this.#webhookStore.put(webhook);
      if (webhook.enabled === 0) this.#deliveries.stop(id);
      this.#add([event]);
      return {webhook: this.#view(webhook), secret};
    }
  }

  /** What exists for a caller with this limit. */
  #visibleTo(limit: ServiceLimit): Visible {
    return {webhooks: limit && this.#webhooks.ids(limit), services: limit};
  }

  #view(webhook: StoredWebhook): WebhookView {
    return viewStored(webhook, this.#stateOf(webhook.id));
  }

  #stateOf(webhook: string) {
    return {...this.#webhookStore.health(webhook), ...this.#deliveries.countsOf(webhook)};
  }
}

/**
 * Cuts a page after the last delivery of an event, because a position is always the position of an event. So all
 * deliveries of an event are on the same page.
 * @param rows - One more than fits on the page, if there are more.
 */
function wholeEvents<T extends {readonly seq: number}>(rows: T[], position: number) {
  const more = rows.length > PAGE_LENGTH;
  const items = more ? rows.filter(({seq}) => seq !== rows.at(-1)?.seq) : rows;
  return {items, position: items.at(-1)?.seq ?? position, more};
}

async function toRow(event: NewEvent): Promise<AppendedEvent & ReceivedEvent> {
  const {type, key, at, data} = event;
  const id = `evt_${(await digest('SHA-256', `${type}\n${key}`)).slice(0, 32)}`;
  return {
    id,
    type,
    data,
    subject: eventSubject(event),
    body: JSON.stringify({id, type, created_at: formatInstant(at), data}),
  };
}

/** The event contains the host and not the URL, because a URL may contain a secret of the merchant. */
function changeEvent({id, version, url, types, services, enabled}: StoredWebhook, change: WebhookChange) {
  return toRow({
    type: 'webhook.changed',
    key: `${id} ${version}`,
    at: Date.now(),
    data: {
      webhook_id: id,
      change,
      host: new URL(url).host,
      enabled: enabled === 1,
      types: JSON.parse(types ?? 'null') as EventData<'webhook.changed'>['types'],
      services: parseServices(services)?.slice() ?? null,
    },
  });
}

function parse(body: string): MerchantEvent {
  return JSON.parse(body) as MerchantEvent;
}
