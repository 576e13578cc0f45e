/** The one interpreter of the operation table. It knows the token and when to try again, and no operation by name. */

import {log} from '../lib/log.ts';
import {isBroken, isTokenRefused, PlatformError, type PlatformFailure} from './failure.ts';
import type {Family} from './interfaces/interface.ts';
import type {FamilyName, Operation} from './operation.ts';
import type {Input, OperationName, Output} from './operations/index.ts';
import {rowOf} from './operations/load-operation.ts';
import type {Exhausted, QuotaSource, Refusal, Taking} from './quota-source.ts';
import {CircuitBreaker, type Leave, PROBE_AFTER_MS, RetryBudget} from './resilience.ts';
import type {TokenSource} from './token-source.ts';
import {EgressError, type PlatformFetch, type Reply, send} from './transport.ts';
import type {Standing} from './trouble-reporter.ts';

export interface PlatformOptions {
  /** A family that is not configured is absent. */
  readonly families: Readonly<Partial<Record<FamilyName, Family>>>;
  readonly tokens: TokenSource;
  readonly quotas: QuotaSource;
  readonly fetch: PlatformFetch;
  readonly clock: Clock;
  /** Where what is wrong with the platform is told; nobody is where there is none. */
  readonly standing?: Pick<Standing, 'noteCall' | 'noteLeftAlone'>;
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  wait(ms: number): Promise<unknown>;
  /** From 0 up to 1. */
  random(): number;
}

interface Call {
  readonly name: string;
  readonly row: Operation;
  readonly family: Family;
  readonly breaker: CircuitBreaker;
  readonly input: Readonly<Record<string, unknown>>;
  /** Epoch milliseconds; bounds all attempts together. */
  readonly deadline: number;
  readonly place: string | undefined;
}

export interface Calling {
  /** In the line of those that wait for a limit's next day. */
  readonly place?: string;
}

const RETRIES = 2;
/** How many new tokens one call may ask for. */
const RENEWALS = 2;
const FIRST_PAUSE_MS = 200;
/** With less time than this before the deadline another attempt is not begun. */
const SHORTEST_ATTEMPT_MS = 500;
/** After a token or a turn did not come in time. */
const WAITED_PAUSE_MS = 1_000;

export class PlatformClient {
  /** One a family: they are different machines, and one may fail alone. */
  readonly #breakers = new Map<FamilyName, CircuitBreaker>();
  readonly #retries = new RetryBudget();

  constructor(private readonly options: PlatformOptions) {}

  /** Whether this isolate leaves an interface of the platform alone. */
  get leftAlone(): boolean {
    return [...this.#breakers.values()].some(({open}) => open);
  }

  /**
   * Calls one operation. Its deadline bounds all attempts together; only reads are tried again.
   * @throws {PlatformError} `refused` with the platform's status, `unknown` where no readable answer came in
   * time, `unsent` where the platform is left alone for now or a limit of its is used up, `unconfigured` where its
   * family is not set up.
   */
  async call<N extends OperationName>(name: N, input: Input<N>, {place}: Calling = {}): Promise<Output<N>> {
    const row = await rowOf(name);
    const family = this.options.families[row.family];
    if (!family) throw new PlatformError(name, {outcome: 'unconfigured', family: row.family});
    const sent = row.input.parse(input) as Record<string, unknown>;
    this.#retries.earn();
    const deadline = this.options.clock.now() + row.deadlineMs;
    return (await this.#repeat({
      name,
      row,
      family,
      breaker: this.#breaker(row.family),
      input: sent,
      deadline,
      place,
    })) as Output<N>;
  }

  async #repeat(call: Call): Promise<unknown> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#callWithToken(call);
      } catch (error) {
        if (!(error instanceof PlatformError) || !isBroken(error.failure)) throw error;
        const pauseMs = this.options.clock.random() * FIRST_PAUSE_MS * 2 ** attempt;
        if (!this.#mayRepeat(call, attempt, pauseMs)) throw error;
        await this.options.clock.wait(pauseMs);
      }
    }
  }

  #mayRepeat({row, deadline}: Call, attempt: number, pauseMs: number): boolean {
    if (row.effect !== 'read' || attempt >= RETRIES) return false;
    const remainingMs = deadline - this.options.clock.now() - pauseMs;
    return remainingMs > SHORTEST_ATTEMPT_MS && this.#retries.take();
  }

  /**
   * A refused token did nothing: the call is made again with a new one, whatever its effect, and once more where
   * that one ended on the way. Waiting for a token counts towards the call's deadline.
   */
  async #callWithToken(call: Call): Promise<unknown> {
    if (!call.row.token) return this.#attempt(call, null);
    const {tokens} = this.options;
    let token = await this.#inTime(call, tokens.current());
    for (let renewals = 0; ; renewals += 1) {
      try {
        return await this.#attempt(call, token);
      } catch (error) {
        if (renewals >= RENEWALS || !(error instanceof PlatformError && isTokenRefused(error.failure))) throw error;
        token = await this.#inTime(call, tokens.renew(token));
      }
    }
  }

  /** One request. What counts towards a limit of the platform's is counted before it is sent. */
  async #attempt(call: Call, token: string | null): Promise<unknown> {
    const {name, row, place} = call;
    if (row.quota === null) return this.#send(call, token);
    const taking = this.options.quotas.take(row.quota, place);
    const taken = await this.#inTime(call, taking).catch((error: unknown) => {
      giveBackLate(taking);
      throw error;
    });
    if ('retryAfterMs' in taken) throw new PlatformError(name, {outcome: 'unsent', ...taken});
    try {
      const result = await this.#send(call, token);
      taken.end();
      return result;
    } catch (error) {
      const failure = error instanceof PlatformError ? error.failure : null;
      if (failure?.outcome === 'unsent') taken.giveBack();
      else taken.end(failure ? refusalIn(failure) : undefined);
      throw error;
    }
  }

  async #send(call: Call, token: string | null): Promise<unknown> {
    const {name, row, family, breaker, input} = call;
    const {fetch, clock} = this.options;
    const remainingMs = this.#remaining(call);
    if (remainingMs <= 0) throw tooLate(call);
    const request = await family.request(row, input, token);
    const leave = breaker.ask();
    if ('retryAfterMs' in leave) {
      this.options.standing?.noteLeftAlone(row.family, true);
      throw new PlatformError(name, {outcome: 'unsent', ...leave});
    }

    const startedAt = clock.now();
    // A probe that hangs must not keep the next one waiting.
    const bounds = {
      timeoutMs: leave.probe ? Math.min(remainingMs, PROBE_AFTER_MS) : remainingMs,
      maxReplyBytes: row.maxReplyBytes,
    };
    const reply = await send(fetch, request, (text, status) => family.read(text, status), bounds);
    const output = 'envelope' in reply && reply.envelope.success ? row.output.safeParse(reply.envelope.body) : null;
    const failure = output?.success ? null : failureIn(reply);
    noteOutcome(breaker, leave, row.family, failure !== null && isBroken(failure));
    this.options.standing?.noteLeftAlone(row.family, breaker.open);
    this.options.standing?.noteCall(name, row, failure);
    log(failure ? 'warn' : 'info', 'platform_call', {
      operation: name,
      ...('envelope' in reply && {platform_status: reply.envelope.status}),
      ...(failure && faultIn(failure, reply)),
      duration_ms: clock.now() - startedAt,
    });
    if (failure) throw new PlatformError(name, failure, {cause: 'cause' in reply ? reply.cause : output?.error});
    return output?.data;
  }

  #breaker(family: FamilyName): CircuitBreaker {
    let breaker = this.#breakers.get(family);
    if (!breaker) this.#breakers.set(family, (breaker = new CircuitBreaker(() => this.options.clock.now())));
    return breaker;
  }

  /** What the task gives, unless the deadline comes first. */
  async #inTime<T>(call: Call, task: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(tooLate(call)), this.#remaining(call));
    try {
      return await Promise.race([task, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #remaining({deadline}: Call): number {
    return deadline - this.options.clock.now();
  }
}

function noteOutcome(breaker: CircuitBreaker, leave: Leave, family: FamilyName, failed: boolean): void {
  const turned = breaker.note(leave, failed);
  if (turned)
    log(turned === 'opened' ? 'error' : 'info', turned === 'opened' ? 'platform_left_alone' : 'platform_recovered', {
      names: [family],
    });
}

/** The time went by before anything was sent: only a token or a turn was waited for. */
function tooLate({name}: Call): PlatformError {
  return new PlatformError(name, {outcome: 'unsent', retryAfterMs: WAITED_PAUSE_MS});
}

/** Leave that comes when nobody waits for it any more holds no turn, and does not count. */
function giveBackLate(taking: Promise<Taking | Exhausted>): void {
  taking.then(
    (taken) => void ('giveBack' in taken && taken.giveBack()),
    () => {},
  );
}

/** The platform's word that it was asked too often. */
function refusalIn(failure: PlatformFailure): Refusal | undefined {
  return failure.outcome === 'refused' && failure.httpStatus === 429
    ? {retryAfterMs: failure.retryAfterMs ?? null}
    : undefined;
}

/** What the log keeps of a failure: the way out's own word for it, where it has one. */
function faultIn(failure: PlatformFailure, reply: Reply): {fault?: string} {
  if ('cause' in reply && reply.cause instanceof EgressError) return {fault: reply.cause.reason};
  return failure.outcome === 'unknown' ? {fault: failure.fault} : {};
}

/** Why a reply is no success; a success whose fields cannot be read is unreadable. */
function failureIn(reply: Reply): PlatformFailure {
  if ('failure' in reply) return reply.failure;
  const {
    envelope: {success, status, message, httpStatus},
    retryAfterMs,
  } = reply;
  if (success) return {outcome: 'unknown', fault: 'unreadable'};
  return {
    outcome: 'refused',
    status,
    message,
    ...(httpStatus !== undefined && {httpStatus}),
    ...(retryAfterMs !== null && {retryAfterMs}),
  };
}
