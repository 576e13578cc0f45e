import {DurableObject} from 'cloudflare:workers';
import {type Context, contextOf} from '../../context.ts';
import {describeError, log} from '../../lib/log.ts';
import {formatPlatformDay, nextHourInTurkey} from '../../lib/time.ts';
import {isBroken, PlatformError, type PlatformFailure} from '../../platform/failure.ts';
import type {Hint, NoticeOutcome} from '../../platform/notifications.ts';
import type {ChargeRecord} from '../../platform/operations/micropayment.ts';
import {toCharge} from '../../platform/to-payment.ts';
import type {NewEvent} from '../events/event.ts';
import {PendingEvents} from '../events/pending-events.ts';
import {NewsStore, type Known, type WaitingHint} from './billing-changes-store.ts';
import {describeCharge, describeSubscription} from './billing-events.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What was read so recently waits a while, however often it is named. */
const FRESH_MS = MINUTE_MS;
/** After the first question in vain, the second, …; the last one again and again. */
const PAUSES_MS = [15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS];
/** How long a platform that says nothing is asked. */
const ASKED_MS = 3 * DAY_MS;
/** Nothing was said of the record: our credentials are refused, or we ask too often. */
const NOT_HEARD: ReadonlySet<number | undefined> = new Set([401, 403, 429]);
/** Anybody can name anything: what waits is bounded, and so is the share of the platform's limits (1,000 a day, 5 a second) it may cost. */
const MOST_WAITING = 500;
const MOST_A_DAY = 200;
const MOST_A_TURN = 5;
const TURN_MS = 5 * SECOND_MS;
const KNOWN_MS = 400 * DAY_MS;

/**
 * Reads back what unsigned notifications of mobile billing name, and tells what changed. A hint is written down before
 * it is answered, once however often it comes, and stays until the platform said what is true; what that is, and
 * its event, are written down in one go. If the process dies in between, the alarm asks again.
 */
export class News extends DurableObject<Env> {
  readonly #store = new NewsStore(this.ctx.storage);
  readonly #pending = new PendingEvents(this.ctx.storage);

  /** Notes that something may have changed; `later` where too much is to be looked into already. */
  async hear(hint: Hint): Promise<NoticeOutcome> {
    const now = Date.now();
    const readAt = this.#store.known(hint)?.read_at ?? 0;
    if (!this.#store.hear(hint, now, Math.max(now, readAt + FRESH_MS), MOST_WAITING)) return 'later';
    await this.#schedule();
    return 'stored';
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    // First of all: a turn that is cut off counts.
    this.#store.setNextTurn(now + TURN_MS);
    this.#store.forgetBefore(now - KNOWN_MS);
    for (const hint of this.#store.due(now, MOST_A_TURN)) {
      try {
        await this.#lookInto(hint, now);
      } catch (error) {
        // An alarm that throws is given up after a few tries.
        log('error', 'internal_error', {service: hint.service, error: describeError(error)});
        this.#goOn(hint, pauseAfter(hint), hint.tries + 1);
      }
    }
    await this.#pending.handOver(() => this.#context.objects);
    await this.#schedule();
  }

  get #context(): Context {
    return contextOf(this.env);
  }

  async #lookInto(hint: WaitingHint, now: number): Promise<void> {
    const day = formatPlatformDay(now);
    if (!this.#store.takeQuestion(hint.kind, day, MOST_A_DAY))
      return this.#goOn(hint, nextHourInTurkey(0, now) - now, hint.tries);
    try {
      await this.#read(hint);
      this.#finish(hint);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      const {failure} = error;
      // Neither the day's questions nor the hint pay for what was not asked.
      const isAsked = failure.outcome !== 'unsent';
      if (!isAsked) this.#store.giveQuestionBack(hint.kind, day);
      if (saysNone(failure)) this.#finish(hint);
      else if (isAsked) this.#goOn(hint, pauseAfter(hint), hint.tries + 1);
      else this.#goOn(hint, Math.max(MINUTE_MS, failure.retryAfterMs), hint.tries);
    }
  }

  #finish(hint: WaitingHint): void {
    const now = Date.now();
    this.#store.finish(hint, now, now + FRESH_MS);
  }

  /** It waits on, but not for ever. */
  #goOn(hint: WaitingHint, pauseMs: number, tries: number): void {
    const dueAt = Date.now() + pauseMs;
    if (dueAt <= hint.since + ASKED_MS) return this.#store.postpone(hint, dueAt, tries);
    log('error', 'hint_given_up', {service: hint.service, names: [hint.kind]});
    this.#finish(hint);
  }

  async #read({kind, service, id}: Hint): Promise<void> {
    const {platform, config} = this.#context;
    const serviceId = config.services.get(service)?.micropaymentId ?? '';
    if (kind === 'charge') {
      const {transaction} = await platform.call('chargeGet', {serviceId, transactionId: id});
      await this.#tellOrder(service, transaction);
      const subscriptionId = transaction.subscriptionId ?? transaction.subscription?.id ?? null;
      const data = describeCharge({...transaction, subscriptionId}, service, config);
      return this.#keep({kind, service, id}, transaction.status, () => ({
        type: 'charge.changed',
        key: [service, id, transaction.status].join('\n'),
        at: Date.now(),
        data,
      }));
    }
    const {subscription} = await platform.call('subscriptionGet', {serviceId, subscriptionId: id});
    const data = describeSubscription(subscription, service);
    const at = Date.now();
    return this.#keep({kind, service, id}, subscription.status, ({told}) =>
      data.state === 'cancelled'
        ? {type: 'subscription.cancelled', key: [service, id].join('\n'), at, data}
        : {type: 'subscription.changed', key: [service, id, told, subscription.status].join('\n'), at, data},
    );
  }

  /** An order may be paid with it on the common payment page, and may have been refunded since. */
  async #tellOrder(service: string, record: ChargeRecord): Promise<void> {
    const {config, objects} = this.#context;
    const charge = toCharge(record, config.statuses, Date.now());
    if (charge && record.referenceCode) await objects.order(service, record.referenceCode).charged(charge, Date.now());
  }

  /** In one go with what it tells of. */
  #keep(hint: Hint, status: string | null, tell: (known: Pick<Known, 'told'>) => NewEvent): void {
    const known = this.#store.known(hint);
    const told = known?.told ?? 0;
    const isNews = !known || known.status !== status;
    this.#store.keep(hint, {status, told: told + (isNews ? 1 : 0), read_at: Date.now()});
    if (isNews) this.#pending.add(tell({told}));
  }

  /** The next alarm, no sooner than the next turn, however many hints come until then. */
  async #schedule(): Promise<void> {
    const due = [this.#store.dueAt(), this.#pending.dueAt()].filter((at) => at !== null);
    await (due.length > 0
      ? this.ctx.storage.setAlarm(Math.max(this.#store.nextTurn(), Math.min(...due)))
      : this.ctx.storage.deleteAlarm());
  }
}

/** Whether the platform answered that there is nothing to be read. */
function saysNone(failure: PlatformFailure): boolean {
  return (
    failure.outcome === 'unconfigured' ||
    (failure.outcome === 'refused' && !isBroken(failure) && !NOT_HEARD.has(failure.httpStatus))
  );
}

function pauseAfter({tries}: WaitingHint): number {
  return PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? HOUR_MS;
}
