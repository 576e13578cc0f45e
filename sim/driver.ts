/** Plays one history: at each step the seed chooses what happens next, and the accountant compares. */

import {createHash} from 'node:crypto';
import {Accountant} from './accountant.ts';
import {Actors} from './actors.ts';
import {Violation} from './books.ts';
import {Chance, type Choice, mix, moodOf, of} from './chance.ts';
import {control} from './requests.ts';
import {type Settings, settingsOf} from './settings.ts';
import type {ArmedAbort, HttpAnswer, HttpRequest, ObjectName, StageEvent, StageOp} from './stage/protocol.ts';
import {DAY_MS, HOUR_MS, MINUTE_MS} from './values.ts';
import {type Bundle, World} from './world.ts';

/** No network delivers a request that is older than this. */
const MAX_REQUEST_AGE_MS = 8 * MINUTE_MS;
const START = Date.parse('2026-11-23T07:00:00Z');
const PEERS = ['phs', 'phs', 'micropayment', 'pay', 'landing', 'webhook', 'shop'] as const;
/** Requests wait, arrive twice or are carried out without an answer, or `ANSWERS` says what comes back instead. */
const FAULTS = ['down', 'broken', 'busy', 'silent', 'twice', 'deaf', 'deaf'] as const;
/** Calls that change something fail more often, and mostly by an answer or a request that is late or lost. */
const WRITES = /\/(?:create|update|cancel|order-complete|transaction\/refund|subscription-request)\b/;
const WRITE_FAULTS = [...FAULTS, 'deaf', 'deaf', 'deaf', 'silent', 'silent', 'silent'] as const;
type Fault = (typeof FAULTS)[number];
const ACCEPTED: HttpAnswer = {status: 204, headers: {}, body: ''};
const ANSWERS: Readonly<Partial<Record<Fault | 'none', HttpAnswer | null>>> = {
  down: null,
  broken: {status: 503, headers: {'content-type': 'text/html'}, body: '<h1>Error</h1>'},
  busy: {status: 429, headers: {'retry-after': '7'}, body: '{}'},
};

/** A request that left the Worker or the sandbox and waits. */
interface Held {
  readonly id: number;
  readonly request: HttpRequest;
  readonly since: number;
  /** Whom it is for: an interface of the platform, the `webhook`, or the `shop`, which is the Worker itself. */
  readonly peer: string;
  isCarried: boolean;
  /** Until when the network keeps it, so that its caller gives up before it arrives. */
  delayedUntil: number;
  /** When it reached the one whom it is for. */
  carriedAt: number;
  /** Whether the caller gets the answer. */
  isHeard: boolean;
}

type Outage = {readonly fault: Fault; readonly until: number};
type Alarm = ObjectName & {readonly at: number};
type OnAnswer = (answer: HttpAnswer | null) => void;
type Asked = Readonly<{request: HttpRequest; askedAt: number; isReliable: boolean; onAnswer: OnAnswer}>;
export type Failure = Readonly<{step: number; rule: string; detail: string}>;

export class Driver {
  readonly seed: number;
  readonly settings: Settings;
  readonly accountant: Accountant;
  /** The interfaces that fail now: how, and until when. */
  readonly outages = new Map<string, Outage>();
  readonly #world: World;
  readonly #trace: (line: string) => void;
  readonly #actors: Actors;
  readonly #held = new Map<number, Held>();
  readonly #alarms = new Map<string, Alarm>();
  /** Objects whose alarm runs. */
  readonly #ringing = new Set<string>();
  readonly #asked = new Map<string, Asked>();
  /** Answers that are on their way to their actors. */
  readonly #late: (() => void)[] = [];
  /** Of all choices, of what came of them, and of the verdict. */
  readonly digest = createHash('sha256');
  readonly #faultShare: number;
  #ops: StageOp[] = [];
  #armed: ArmedAbort | null | undefined;
  #timerAt = Infinity;
  #lastId = 0;
  #playedAt = START;
  #isCalm = false;
  /** The last notification of a refund's result. */
  #lastResult: HttpRequest | undefined;
  now = START;
  step = 0;
  /** How often something was done to the world; a choice to wait is many such steps. */
  advances = 0;
  chance: Chance;

  constructor(bundle: Bundle, seed: number, trace: (line: string) => void) {
    [this.seed, this.settings, this.#trace] = [seed, settingsOf(seed), trace];
    this.#world = new World(bundle, this.settings.vars);
    this.chance = new Chance(mix(seed, 0));
    this.#faultShare = this.chance.pick([0.02, 0.06, 0.15]);
    this.accountant = new Accountant(this);
    this.#actors = new Actors(this);
  }

  /** Plays `steps` steps without those that are skipped, and then waits until everything has settled. */
  async play(steps: number, skipped: ReadonlySet<number> = new Set()): Promise<Failure | null> {
    try {
      await this.#world.start();
      this.ask(control('readings', this.settings.readings));
      // The accountant counts calls itself.
      this.ask(control('limits', {limits: null}));
      await this.#advance();
      for (this.step = 1; this.step <= steps; this.step += 1) {
        if (skipped.has(this.step)) continue;
        this.chance = new Chance(mix(this.seed, this.step));
        const choices = [...this.#choices(), ...this.#actors.choices()];
        const choice = this.chance.weighted(choices, (index) => this.mood(index + 1).pick([0.1, 0.5, 1, 1, 2, 6]));
        if (!choice) continue;
        this.now += this.chance.between(1, 40);
        this.#say(choice.name);
        await choice.run();
        await this.#advance();
      }
      await this.#settle();
      return null;
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      const rule = String(error.cause);
      this.#say(`FAILED ${rule}: ${error.message}`);
      return {step: this.step, rule, detail: error.message};
    } finally {
      await this.#world.close();
    }
  }

  /** For a while, each history prefers some choices and avoids others, so that rare ones meet. */
  mood(topic: number): Chance {
    return moodOf(this.seed, this.step, topic);
  }

  /** Sends a request of an actor. With `null` as its answer, the actor never gets one. */
  ask(request: HttpRequest, onAnswer: OnAnswer = () => {}): void {
    const isReliable = peerOf(request.url) !== 'shop';
    const headers = {...request.headers, 'cf-connecting-ip': `192.0.2.${this.chance.between(1, 200)}`};
    const send = () => {
      const id = `r${(this.#lastId += 1)}`;
      this.#asked.set(id, {request, askedAt: this.now, isReliable, onAnswer});
      this.#ops.push({op: 'request', id, request: {...request, headers}});
    };
    send();
    if (isReliable || this.#isCalm || !this.chance.happens(0.04)) return;
    this.accountant.met('a request arrives twice');
    send();
  }

  #choices(): Choice[] {
    const alarms = [...this.#alarms.values()];
    return [
      of('carry', 60, this.chance.pick(this.#waiting()), (held) => this.#carry(held)),
      of('alarm', 25, this.chance.pick(this.#dueAlarms()), (alarm) => this.#runAlarm(alarm)),
      {name: 'wait', weight: 16, run: () => this.#wait()},
      of('late answer', 6, this.#late[0], () => this.#late.shift()?.()),
      of('forge', 0.7, this.#lastResult, (last) => this.#forge(last)),
      {name: 'outage', weight: 2, run: () => this.#beginOutage()},
      of('end object', 1.5, this.chance.pick(alarms), (object) => this.#endObject(object)),
      of('abort', 2.5, this.chance.pick([...new Set(alarms.map(({className}) => className))]), (name) =>
        this.#arm(name),
      ),
      {name: 'restart', weight: 0.4, run: () => this.#restart()},
    ];
  }

  /** Lets the world do what was chosen, and hands out what came of it. */
  async #advance(): Promise<void> {
    const [ops, armed] = [this.#ops, this.#armed];
    this.#ops = [];
    this.#armed = undefined;
    this.accountant.timePassed(this.#playedAt);
    for (const [peer, {until}] of this.outages) if (until <= this.now) this.outages.delete(peer);
    this.#playedAt = this.now;
    this.advances += 1;
    const seed = mix(this.seed, this.step, this.advances, 7);
    const step = {now: this.now, seed, ops, ...(armed !== undefined && {armed})};
    const {events, timerAt, log} = await this.#world.step(step);
    this.#timerAt = timerAt ?? Infinity;
    for (const line of log) {
      this.#trace(`      log ${line}`);
      this.accountant.keepSecret('log', 'A log line', line);
    }
    for (const event of events) this.#handOut(event);
    if (this.#ops.length > 0) await this.#advance();
  }

  #handOut(event: StageEvent): void {
    switch (event.type) {
      case 'held':
        return this.#hold(event);
      case 'answer': {
        const asked = this.#asked.get(event.id);
        this.#asked.delete(event.id);
        this.#say(`  answer ${event.id} ${event.answer?.status ?? event.error}`);
        return asked && this.#deliver(asked, event.answer);
      }
      case 'carried': {
        const held = this.#held.get(event.id);
        this.#held.delete(event.id);
        this.#say(`  carried ${event.id} ${event.answer?.status}`);
        return (
          held && this.accountant.platformCalled(held.request, event.answer, held.isHeard, held.carriedAt - held.since)
        );
      }
      case 'alarm-ended':
        this.#ringing.delete(nameOf(event));
        return this.#plan(event, event.at);
      case 'alarm':
        return this.#plan(event, event.at);
      case 'aborted':
        this.#say(`  aborted ${nameOf(event)}`);
        this.accountant.met('an object ends between two awaits');
        return this.#ended(event);
    }
  }

  #hold({id, request}: {readonly id: number; readonly request: HttpRequest}): void {
    const peer = peerOf(request.url);
    this.#held.set(id, {
      id,
      request,
      since: this.now,
      peer,
      isCarried: false,
      delayedUntil: 0,
      carriedAt: 0,
      isHeard: true,
    });
    this.#say(`  held ${id} ${request.method} ${request.url}`);
    if (peer === 'webhook') this.accountant.webhookSent(request);
    else if (peer !== 'shop') this.accountant.platformAsked(request);
    else if (request.url.includes('/hooks/refund-result')) this.#lastResult = request;
  }

  #ended(object: ObjectName): void {
    this.accountant.disturbed();
    // What the object had planned last may not be stored, so its alarm is looked up.
    this.#plan(object, this.now);
  }

  #plan({className, id}: ObjectName, at: number | null): void {
    if (at === null) this.#alarms.delete(nameOf({className, id}));
    else this.#alarms.set(nameOf({className, id}), {className, id, at});
  }

  /** An answer is on its way to the actor who asked. */
  #deliver({isReliable, onAnswer, request, askedAt}: Asked, answer: HttpAnswer | null): void {
    const isFault = !isReliable && !this.#isCalm && this.chance.happens(this.#faultShare);
    const isLost = isFault && this.chance.happens(0.5);
    if (answer && !isReliable) this.accountant.answered(request, answer, askedAt, isLost);
    if (isFault && !isLost) this.#late.push(() => onAnswer(answer));
    else onAnswer(isLost ? null : answer);
  }

  #carry(held: Held): void {
    const {id, peer, request} = held;
    const outage = this.outages.get(peer);
    const isWrite = WRITES.test(request.url);
    const share = this.#faultShare * (isWrite ? 4 : 1);
    const other = this.chance.pick(isWrite ? WRITE_FAULTS : FAULTS);
    const isFault = !this.#isCalm && this.chance.happens(outage ? 0.9 : share);
    const isOld = this.now - held.since > MAX_REQUEST_AGE_MS;
    const fault = isOld ? 'down' : isFault ? (outage?.fault ?? other) : 'none';
    this.#say(`  ${id} ${peer} ${fault}`);
    if (fault === 'silent') {
      if (isWrite) held.delayedUntil = this.now + this.chance.between(1, 7) * MINUTE_MS;
      return;
    }
    const isLost = fault === 'deaf';
    const isAccepted = peer === 'webhook' && ['none', 'twice', 'deaf'].includes(fault);
    if (isAccepted) this.accountant.webhookAccepted(request);
    this.accountant.met('the answer of a webhook is lost', isAccepted && isLost);
    const answer = isAccepted ? (isLost ? null : ACCEPTED) : ANSWERS[fault];
    if (answer !== undefined) {
      this.#held.delete(id);
      this.#ops.push({op: 'release', id, answer});
      if (peer !== 'webhook') this.accountant.platformCalled(request, null, answer === ANSWERS.busy);
      return;
    }
    if (fault === 'twice' && peer === 'shop') {
      this.accountant.met('a notification arrives twice');
      this.#ops.push({op: 'carry', id, ending: 'keep'});
    }
    Object.assign(held, {isCarried: true, carriedAt: this.now, isHeard: !isLost});
    this.#ops.push({op: 'carry', id, ending: isLost ? 'lose' : 'answer'});
  }

  #runAlarm({className, id}: Alarm): void {
    this.#say(`  ${className} ${id.slice(0, 8)}`);
    this.#ringing.add(nameOf({className, id}));
    this.#ops.push({op: 'alarm', className, id});
  }

  #waiting(): Held[] {
    return [...this.#held.values()].filter(({isCarried, delayedUntil}) => !isCarried && delayedUntil <= this.now);
  }

  #dueAlarms(): Alarm[] {
    return [...this.#alarms.values()].filter((alarm) => alarm.at <= this.now && !this.#ringing.has(nameOf(alarm)));
  }

  async #wait(): Promise<void> {
    const kind = this.chance.next();
    if (kind < 0.6) this.now = Math.max(this.now, Math.min(this.#nextDueAt(), this.now + 10 * MINUTE_MS));
    else if (kind < 0.8) this.now += this.chance.between(1, 30) * 1_000;
    else if (kind < 0.96) this.now += this.chance.between(1, 12) * MINUTE_MS;
    else await this.#pass(this.chance.between(1, 14) * HOUR_MS);
    this.#say(`  until ${new Date(this.now).toISOString()}`);
  }

  #nextDueAt(): number {
    const waiting = [...this.#alarms.values()].filter((alarm) => !this.#ringing.has(nameOf(alarm)));
    return Math.min(...waiting.map(({at}) => at), this.#timerAt);
  }

  /** Outages last from a minute to twelve hours, and short ones are as likely as long ones. Some outlast a deadline. */
  #beginOutage(): void {
    const awaited = [...this.accountant.orders.values()].filter(({told}) => told.size === 0);
    const due = Math.min(...awaited.map(({deadline}) => deadline).filter((at) => at > this.now));
    const isAboutMoney = due < this.now + 2 * HOUR_MS && this.chance.happens(0.6);
    const [peer, fault] = [isAboutMoney ? 'phs' : this.chance.pick(PEERS), this.chance.pick(FAULTS)];
    // The Worker lets an order expire some minutes after the time to pay, if it has searched for the money by then.
    const least = isAboutMoney ? due + this.chance.between(1, 30) * MINUTE_MS : 0;
    const until = Math.max(this.now + MINUTE_MS * 720 ** this.chance.next(), least);
    this.outages.set(peer, {fault, until});
    this.#say(`  ${peer} ${fault} until ${new Date(until).toISOString()}`);
  }

  #endObject({className, id}: ObjectName): void {
    this.#say(`  ${className} ${id}`);
    this.#ops.push({op: 'end', className, id});
    this.#ended({className, id});
  }

  /** The next object of a class that gets some way ends there, between two awaits. */
  #arm(className: string): void {
    this.#armed = {className, hooks: this.chance.between(0, 30)};
    this.#say(`  ${className} after ${this.#armed.hooks}`);
  }

  /** An attacker repeats a notification with another result, which its key does not cover. */
  #forge(last: HttpRequest): void {
    this.accountant.met('a notification is forged');
    this.ask({...last, url: withOtherStatus(last.url), body: last.body && withOtherStatus(last.body)});
  }

  async #restart(): Promise<void> {
    this.accountant.disturbed();
    this.accountant.met('a restart while a request waits for its answer', this.#held.size > 0);
    await this.#world.kill();
    const lost = [...this.#asked.values()];
    for (const name of this.#ringing) {
      const [className = '', id = ''] = name.split(' ');
      this.#plan({className, id}, this.now);
    }
    for (const all of [this.#held, this.#asked, this.#ringing]) all.clear();
    this.#timerAt = Infinity;
    await this.#world.start();
    for (const {onAnswer} of lost) onAnswer(null);
  }

  /** All faults end, and time goes on until everything that was begun has come to its end. */
  async #settle(): Promise<void> {
    this.#isCalm = true;
    this.#armed = null;
    this.outages.clear();
    this.#say('settle');
    await this.#pass(20 * MINUTE_MS);
    const kind = this.seed % 4;
    for (const ms of this.#actors.finish(kind === 3)) await this.#passUntilFound(ms);
    this.accountant.close();
    if (kind === 0) {
      await this.#pass(13 * DAY_MS, 60);
      return this.accountant.stored(this.#world.readStorage());
    }
    for (const ms of this.#actors.payLate()) await this.#passUntilFound(ms);
    this.accountant.close();
  }

  /**
   * Lets a longer time pass, in which alarms run at most a little late. Timers end on time: if a wait for a permit and
   * the timeout of its call ended together, the call would never be sent.
   */
  async #pass(ms: number, parts = 40): Promise<void> {
    const end = this.now + ms;
    for (await this.#drain(); this.now < end; await this.#drain())
      this.now = Math.min(
        end,
        this.#timerAt,
        Math.max(this.now + 5, this.#nextDueAt(), this.now + Math.ceil(ms / parts)),
      );
  }

  /** Lets a day or more pass, and then some hours more if sweeps have not found all money yet. */
  async #passUntilFound(ms: number): Promise<void> {
    await this.#pass(ms);
    if (ms < DAY_MS) return;
    for (let more = 0; more < 6 && this.accountant.isBehind(); more += 1) await this.#pass(4 * HOUR_MS);
  }

  /** Until nothing can happen before time goes on. */
  async #drain(): Promise<void> {
    for (let count = 0; ; count += 1) {
      if (count > 2_000) throw new Violation('The Worker does not come to rest.', {cause: 'quiet'});
      this.chance = new Chance(mix(this.seed, this.step, this.advances, 3));
      for (const late of this.#late.splice(0)) late();
      for (const held of this.#waiting()) this.#carry(held);
      if (this.#ops.length === 0) for (const alarm of this.#dueAlarms()) this.#runAlarm(alarm);
      if (this.#ops.length === 0 && this.#timerAt > this.now) return;
      await this.#advance();
    }
  }

  #say(line: string): void {
    this.digest.update(`${line}\n`);
    this.#trace(`${this.step} ${line}`);
  }
}

const withOtherStatus = (text: string): string => text.replace(/(status(?:%22|"|%5D)*(?:=|:|%3A))-?\d/g, '$14');
const nameOf = ({className, id}: ObjectName): string => `${className} ${id}`;

function peerOf(url: string): string {
  const {hostname, pathname} = new URL(url);
  return {'hooks.example': 'webhook', 'pay.example': 'shop'}[hostname] ?? pathname.split('/')[1] ?? '';
}
