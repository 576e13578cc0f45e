/** Plays one history: at each step the seed chooses what happens next, and the accountant compares. */

import {createHash} from 'node:crypto';
import {Accountant} from './accountant.ts';
import {Actors} from './actors.ts';
import {HOUR_MS, Violation} from './books.ts';
import {Chance, type Choice, mix, of} from './chance.ts';
import type {ArmedAbort, HttpAnswer, HttpRequest, ObjectName, StageEvent, StageOp} from './stage/protocol.ts';
import type {World} from './world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** No network delivers a request that is older than this. */
const MAX_REQUEST_AGE_MS = 8 * MINUTE;
const START = Date.parse('2026-11-23T07:00:00Z');
const PEERS: [string, ...string[]] = ['phs', 'phs', 'micropayment', 'pay', 'landing', 'webhook', 'shop'];
/** Requests wait, arrive twice or are carried out without an answer, or `ANSWERS` says what comes back instead. */
const FAULTS = ['down', 'broken', 'busy', 'silent', 'twice', 'deaf', 'deaf'] as const;
/** Calls that change something fail more often, because a lost answer matters most there. */
const WRITES = /\/(?:create|cancel|order-complete|transaction\/refund|subscription-request)\b/;
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
  /** Whether the caller gets the answer. */
  isHeard: boolean;
}

type Outage = {readonly fault: Fault; readonly until: number};
type Alarm = ObjectName & {readonly at: number};
type OnAnswer = (answer: HttpAnswer | null) => void;
type Asked = {
  readonly request: HttpRequest;
  readonly askedAt: number;
  readonly isReliable: boolean;
  readonly onAnswer: OnAnswer;
};

export interface Failure {
  readonly step: number;
  readonly rule: string;
  readonly detail: string;
}

export class Driver {
  readonly seed: number;
  readonly accountant = new Accountant(this);
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
  readonly #digest = createHash('sha256');
  readonly #faultShare: number;
  #ops: StageOp[] = [];
  #armed: ArmedAbort | null | undefined;
  #timerAt = Infinity;
  #lastId = 0;
  #playedAt = START;
  #isCalm = false;
  /** The last notification of a refund's result. */
  lastResult: HttpRequest | null = null;
  now = START;
  step = 0;
  /** How often something was done to the world; a choice to wait is many such steps. */
  advances = 0;
  chance: Chance;

  constructor(world: World, seed: number, trace: (line: string) => void) {
    this.seed = seed;
    this.#world = world;
    this.#trace = trace;
    this.chance = new Chance(mix(seed, 0));
    this.#faultShare = this.chance.pick([0.02, 0.06, 0.15]);
    this.#actors = new Actors(this);
  }

  get digest(): string {
    return this.#digest.copy().digest('hex').slice(0, 16);
  }

  /** Plays `steps` steps without those that are skipped, and then waits until everything has settled. */
  async play(steps: number, skipped: ReadonlySet<number> = new Set()): Promise<Failure | null> {
    try {
      await this.#perform({name: 'begin', weight: 1, run: () => this.#actors.begin()});
      for (this.step = 1; this.step <= steps; this.step += 1) {
        if (skipped.has(this.step)) continue;
        this.chance = new Chance(mix(this.seed, this.step));
        const choices = [...this.#choices(), ...this.#actors.choices()];
        const choice = this.chance.weighted(choices, (index) => this.#biasOf(index));
        if (choice) await this.#perform(choice);
      }
      await this.#settle();
      return null;
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      const rule = String(error.cause);
      this.#say(`FAILED ${rule}: ${error.message}`);
      return {step: this.step, rule, detail: error.message};
    }
  }

  /** Each history prefers some choices and avoids others, so that rare ones meet. */
  #biasOf(index: number): number {
    return new Chance(mix(this.seed, index, 11)).pick([0.1, 0.5, 1, 1, 2, 6]);
  }

  /** Sends a request of an actor. With `null` as its answer, the actor never gets one. */
  ask(to: 'shop' | 'platform', request: HttpRequest, onAnswer: OnAnswer = () => {}): void {
    const send = () => {
      const id = `r${(this.#lastId += 1)}`;
      this.#asked.set(id, {request, askedAt: this.now, isReliable: to === 'platform', onAnswer});
      this.#ops.push({op: 'request', id, to, request});
    };
    send();
    if (to === 'platform' || this.#isCalm || !this.chance.happens(0.04)) return;
    this.accountant.met('a request arrives twice');
    send();
  }

  #choices(): Choice[] {
    return [
      of('carry', 60, this.chance.pick(this.#waiting()), (held) => this.#carry(held)),
      of('alarm', 25, this.chance.pick(this.#dueAlarms()), (alarm) => this.#runAlarm(alarm)),
      {name: 'wait', weight: 16, run: () => this.#wait()},
      of('late answer', 6, this.#late[0], () => this.#late.shift()?.()),
      {name: 'outage', weight: 1, run: () => this.#beginOutage()},
      {name: 'end object', weight: 1.5, run: () => this.#endObject()},
      {name: 'abort', weight: 2.5, run: () => this.#arm()},
      {name: 'restart', weight: 0.4, run: () => this.#restart()},
    ];
  }

  async #perform({name, run}: Choice): Promise<void> {
    this.now += this.chance.between(1, 40);
    this.#say(name);
    await run();
    await this.#advance();
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
        return held && this.accountant.platformCalled(held.request, event.answer, held.isHeard);
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
    this.#held.set(id, {id, request, since: this.now, peer, isCarried: false, isHeard: true});
    this.#say(`  held ${id} ${request.method} ${request.url}`);
    if (peer === 'webhook') this.accountant.webhookSent(request);
    else if (peer !== 'shop') this.accountant.platformAsked(request);
    else if (request.url.includes('/hooks/refund-result')) this.lastResult = request;
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
    if (answer && !isReliable) this.accountant.answered(request, answer, askedAt);
    if (isReliable || this.#isCalm || !this.chance.happens(this.#faultShare)) return onAnswer(answer);
    if (this.chance.happens(0.5)) return void this.#late.push(() => onAnswer(answer));
    if (answer) this.accountant.answerLost(answer);
    onAnswer(null);
  }

  #carry(held: Held): void {
    const {id, peer, request} = held;
    const outage = this.outages.get(peer);
    const share = this.#faultShare * (WRITES.test(request.url) ? 4 : 1);
    const isFault = !this.#isCalm && this.chance.happens(outage ? 0.9 : share);
    const isOld = this.now - held.since > MAX_REQUEST_AGE_MS;
    const fault = isOld ? 'down' : isFault ? (outage?.fault ?? this.chance.pick(FAULTS)) : 'none';
    this.#say(`  ${id} ${peer} ${fault}`);
    if (fault === 'silent') return;
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
    const to = peer === 'shop' ? 'shop' : 'platform';
    if (fault === 'twice' && to === 'shop') {
      this.accountant.met('a notification arrives twice');
      this.#ops.push({op: 'carry', id, to, ending: 'keep'});
    }
    Object.assign(held, {isCarried: true, isHeard: !isLost});
    this.#ops.push({op: 'carry', id, to, ending: isLost ? 'lose' : 'answer'});
  }

  #runAlarm(alarm: Alarm): void {
    this.#say(`  ${alarm.className} ${alarm.id.slice(0, 8)}`);
    this.#ringing.add(nameOf(alarm));
    this.#ops.push({op: 'alarm', className: alarm.className, id: alarm.id});
  }

  #waiting(): Held[] {
    return [...this.#held.values()].filter(({isCarried}) => !isCarried);
  }

  #dueAlarms(): Alarm[] {
    return [...this.#alarms.values()].filter((alarm) => alarm.at <= this.now && !this.#ringing.has(nameOf(alarm)));
  }

  async #wait(): Promise<void> {
    const kind = this.chance.next();
    if (kind < 0.6) this.now = Math.max(this.now, Math.min(this.#nextDueAt(), this.now + 10 * MINUTE));
    else if (kind < 0.8) this.now += this.chance.between(1, 30) * SECOND;
    else if (kind < 0.96) this.now += this.chance.between(1, 12) * MINUTE;
    else await this.#pass(this.chance.between(1, 14) * HOUR_MS);
    this.#say(`  until ${new Date(this.now).toISOString()}`);
  }

  #nextDueAt(): number {
    const waiting = [...this.#alarms.values()].filter((alarm) => !this.#ringing.has(nameOf(alarm)));
    return Math.min(...waiting.map(({at}) => at), this.#timerAt);
  }

  /** Outages last from a minute to twelve hours, and short ones are as likely as long ones. */
  #beginOutage(): void {
    const [peer, fault] = [this.chance.pick(PEERS), this.chance.pick(FAULTS)];
    const until = this.now + MINUTE * 720 ** this.chance.next();
    this.outages.set(peer, {fault, until});
    this.#say(`  ${peer} ${fault} until ${new Date(until).toISOString()}`);
  }

  #endObject(): void {
    const object = this.chance.pick([...this.#alarms.values()]);
    if (!object) return;
    this.#say(`  ${nameOf(object)}`);
    this.#ops.push({op: 'end', className: object.className, id: object.id});
    this.#ended(object);
  }

  /** The next object of a class that gets some way ends there, between two awaits. */
  #arm(): void {
    const className = this.chance.pick([...new Set([...this.#alarms.values()].map((object) => object.className))]);
    if (!className) return;
    this.#armed = {className, hooks: this.chance.between(0, 30)};
    this.#say(`  ${className} after ${this.#armed.hooks}`);
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
    await this.#pass(20 * MINUTE);
    for (const ms of this.#actors.finish(this.seed % 4 === 3)) await this.#pass(ms, 40);
    this.accountant.close();
    if (this.seed % 4 !== 0) return;
    await this.#pass(13 * 24 * HOUR_MS, 60);
    this.accountant.stored(this.#world.readStorage());
  }

  /** Lets a longer time pass, in which alarms run at most a little late. */
  async #pass(ms: number, parts = 100): Promise<void> {
    const end = this.now + ms;
    for (await this.#drain(); this.now < end; await this.#drain())
      this.now = Math.min(end, Math.max(this.now + 5, this.#nextDueAt(), this.now + Math.ceil(ms / parts)));
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
    this.#digest.update(`${line}\n`);
    this.#trace(`${this.step} ${line}`);
  }
}

const nameOf = ({className, id}: ObjectName): string => `${className} ${id}`;

function peerOf(url: string): string {
  const {hostname, pathname} = new URL(url);
  return {'hooks.example': 'webhook', 'pay.example': 'shop'}[hostname] ?? pathname.split('/')[1] ?? '';
}
