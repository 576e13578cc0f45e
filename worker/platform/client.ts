/**
 * Calls the platform's operations as the rows of the operation table describe them: adds the token, respects quotas,
 * retries reads and opens circuits.
 */

import {inTime} from '../lib/async.ts';
import {log} from '../lib/log.ts';
import {type Retry, retryDelayMs} from '../lib/retry.ts';
import {
  isOperationBroken,
  isOrdinaryRefusal,
  isRateLimited,
  isTokenRefused,
  isUnanswered,
  PlatformError,
  type PlatformFailure,
  retryAfterMsOf,
} from './failure.ts';
import type {PlatformInterface} from './interfaces.ts';
import {leaveOutOthers, type NamedMerchant} from './names.ts';
import type {InterfaceName, Operation} from './operation.ts';
import type {OperationInput, OperationName, OperationOutput} from './operations/index.ts';
import {loadOperation} from './operations/load-operation.ts';
import {replyWithoutPrefix, withPrefix} from './order-prefix.ts';
import type {QuotaCaller, QuotaExhausted, QuotaSource, QuotaRefusal, QuotaPermit} from './quotas.ts';
import type {Reporter} from './reporter.ts';
import {CircuitBreaker, PROBE_AFTER_MS, RetryBudget} from './resilience.ts';
import type {TokenSource} from './token-source.ts';
import {EgressError, type PlatformFetch, type PlatformReply, relayDelayOf, sendRequest} from './transport.ts';

export interface PlatformOptions {
  /** The configured interfaces. */
  readonly interfaces: Readonly<Partial<Record<InterfaceName, PlatformInterface>>>;
  readonly tokens: TokenSource;
  readonly quotas: QuotaSource;
  readonly fetch: PlatformFetch;
  readonly clock: Clock;
  /** See `order-prefix.ts`; empty by default. */
  readonly orderPrefix?: string;
  /** The merchant and its services, to tell whether a record names them; optional. */
  readonly of?: NamedMerchant;
  /** Records how each call ended and whether a circuit is open; optional. */
  readonly reporter?: Pick<Reporter, 'recordCall' | 'recordCircuit'>;
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  wait(ms: number): Promise<unknown>;
  /** A random number: at least 0, less than 1. */
  random(): number;
}

interface Call {
  readonly name: string;
  readonly row: Operation;
  readonly interface: PlatformInterface;
  /** Names of the circuits that may stop the call. */
  readonly circuits: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
  /** The time in epoch milliseconds by which the last attempt must have ended. */
  readonly deadline: number;
  readonly caller: QuotaCaller;
}

export interface CallOptions {
  /** Id of the command's queue entry, if the command waited for a later day's quota. */
  readonly queueId?: string;
  /** Whether the Worker itself needs the call. If so, the call may use the share of a quota that is kept for this. */
  readonly isOwn?: boolean;
}

const MAX_RETRIES = 2;
/** How many new tokens one call may request. */
const MAX_RENEWALS = 2;
const RETRY: Retry = {firstMs: 200, maxMs: 400, jitter: 1};
/** A retry starts only if at least this much time is left before the deadline. */
const MIN_ATTEMPT_MS = 500;
/** Suggested delay before a retry when a token or a quota permit did not arrive in time. */
const LATE_RETRY_DELAY_MS = 1_000;

export class PlatformClient {
  /**
   * The circuit breakers of interfaces, which count calls without a reply, and of operations, which count all failures.
   * So an operation whose replies cannot be read stops no other operation.
   */
  private readonly breakers = new Map<string, CircuitBreaker>();
  readonly #retryBudget = new RetryBudget();

  constructor(private readonly options: PlatformOptions) {}

  /** True while a circuit is open, so that this isolate does not call an interface or an operation. */
  get hasOpenCircuit(): boolean {
    return [...this.breakers.values()].some(({open}) => open);
  }

  isConfigured(interfaceName: InterfaceName): boolean {
    return this.options.interfaces[interfaceName] !== undefined;
  }

  /**
   * Calls one operation. The operation's deadline covers all attempts together; only reads are retried.
   * @throws {PlatformError} The failure is `refused` with the platform's status; `unknown` when no readable reply came
   * in time; `unsent` when the circuit is open, a quota is used up, or no token or permit came in time; `unconfigured`
   * when the operation's interface is not set up.
   */
  async call<N extends OperationName>(
    name: N,
    input: OperationInput<N>,
    {queueId, isOwn = false}: CallOptions = {},
  ): Promise<OperationOutput<N>> {
    const row = await loadOperation(name);
    const platformInterface = this.options.interfaces[row.interface];
    if (!platformInterface) throw new PlatformError(name, {outcome: 'unconfigured', interface: row.interface});
    const {orderPrefix = ''} = this.options;
    const parsed = withPrefix(orderPrefix, row.input.parse(input) as Record<string, unknown>);
    this.#retryBudget.earn();
    const deadline = this.options.clock.now() + row.deadlineMs;
    const reply = await this.#callWithRetries({
      name,
      row,
      interface: platformInterface,
      circuits: row.ownCircuit ? [name] : [row.interface, name],
      input: parsed,
      deadline,
      caller: {queueId: queueId ?? null, isOwn},
    });
    return replyWithoutPrefix(orderPrefix, reply) as OperationOutput<N>;
  }

  async #callWithRetries(call: Call): Promise<unknown> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#callWithToken(call);
      } catch (error) {
        if (!(error instanceof PlatformError) || !isOperationBroken(error.failure)) throw error;
        const relayDelayMs = relayDelayOf(error.cause);
        const delayMs = relayDelayMs || retryDelayMs(RETRY, attempt + 1, () => this.options.clock.random());
        const mayRetry =
          attempt < MAX_RETRIES && call.row.effect === 'read' && this.#remainingMs(call) - delayMs > MIN_ATTEMPT_MS;
        if (!mayRetry || !(relayDelayMs || this.#retryBudget.spend())) throw error;
        await this.options.clock.wait(delayMs);
      }
    }
  }

  /**
   * When the platform refuses the token, the call had no effect. The Worker therefore sends the call again with a new
   * token, even if the call moves money. If the new token expires before the call reaches the platform, the Worker
   * sends the call once more. The time that a call waits for a token counts towards the call's deadline.
   */
  async #callWithToken(call: Call): Promise<unknown> {
    if (!call.row.token) return this.#attempt(call, null);
    const {tokens} = this.options;
    const current = tokens.current();
    let token = typeof current === 'string' ? current : await this.#withTimeout(call, current);
    for (let renewals = 0; ; renewals += 1) {
      try {
        return await this.#attempt(call, token);
      } catch (error) {
        if (renewals >= MAX_RENEWALS || !(error instanceof PlatformError && isTokenRefused(error.failure))) throw error;
        token = await this.#withTimeout(call, tokens.renew(token));
      }
    }
  }

  /** Sends one request. If the platform limits the operation, the request is counted before it is sent. */
  async #attempt(call: Call, token: string | null): Promise<unknown> {
    const {name, row, caller} = call;
    if (row.quota === null) return this.#send(call, token);
    const pendingPermit = this.options.quotas.acquire(row.quota, caller);
    const permit = await this.#withTimeout(call, pendingPermit).catch((error: unknown) => {
      releaseLate(pendingPermit);
      throw error;
    });
    if ('retryAfterMs' in permit) throw new PlatformError(name, {outcome: 'unsent', ...permit});
    try {
      const result = await this.#send(call, token);
      permit.end();
      return result;
    } catch (error) {
      const failure = error instanceof PlatformError ? error.failure : null;
      if (failure?.outcome === 'unsent') permit.release();
      else permit.end(failure ? quotaRefusalOf(failure) : undefined);
      throw error;
    }
  }

  async #send(call: Call, token: string | null): Promise<unknown> {
    const {name, row, interface: platformInterface, circuits, input} = call;
    const {fetch, clock} = this.options;
    const remainingMs = this.#remainingMs(call);
    if (remainingMs <= 0) throw timeoutError(call);
    const request = await platformInterface.request(row, input, token);
    const retryAfterMs = Math.max(...circuits.map((circuit) => this.#breaker(circuit).retryAfterMs));
    if (retryAfterMs > 0) {
      this.#reportCircuits(call);
      throw new PlatformError(name, {outcome: 'unsent', retryAfterMs});
    }
    const permits = circuits.map((circuit) => this.#breaker(circuit).acquire());

    const startedAt = clock.now();
    // A probe that hangs must not delay the next probe.
    const bounds = {
      timeoutMs: permits.some(({probe}) => probe) ? Math.min(remainingMs, PROBE_AFTER_MS) : remainingMs,
      maxReplyBytes: row.maxReplyBytes,
    };
    const reply = await sendRequest(fetch, request, (text, status) => platformInterface.read(text, status), bounds);
    const output = 'envelope' in reply && reply.envelope.success ? row.output.safeParse(reply.envelope.body) : null;
    const othersIn = (part: object) => leaveOutOthers(part, row.names, input, this.options.of);
    const others = output?.success ? othersIn(output.data as object) : 0;
    const failure = others === null ? failureOfOther(row) : output?.success ? null : failureOfReply(reply, othersIn);
    const cause = 'cause' in reply ? reply.cause : output?.error;
    const relayDelayMs = relayDelayOf(cause);
    for (const [index, permit] of permits.entries()) {
      const circuit = circuits[index] ?? name;
      const hasFailed = failure !== null && (circuit === name ? isOperationBroken : isUnanswered)(failure);
      logChange(circuit, this.#breaker(circuit).record(permit, hasFailed, relayDelayMs));
    }
    this.#reportCircuits(call, relayDelayMs > 0);
    this.options.reporter?.recordCall(name, row, failure);
    log(others === 0 && (failure === null || isOrdinaryRefusal(failure)) ? 'info' : 'warn', 'platform_call', {
      operation: name,
      ...('envelope' in reply && {platform_status: reply.envelope.status}),
      ...(failure && loggedFault(failure, cause)),
      ...(others !== 0 && {fault: 'not_asked_for', ...(others !== null && {rows: others})}),
      duration_ms: clock.now() - startedAt,
    });
    if (failure) throw new PlatformError(name, failure, {cause});
    return output?.data;
  }

  #breaker(name: string): CircuitBreaker {
    let breaker = this.breakers.get(name);
    if (!breaker) this.breakers.set(name, (breaker = new CircuitBreaker(() => this.options.clock.now())));
    return breaker;
  }

  /** @param isRefused - Whether the relay refused the call itself: while it does, the interface cannot be reached either. */
  #reportCircuits({name, row, circuits}: Call, isRefused?: boolean): void {
    if (row.ownCircuit) return;
    for (const circuit of circuits) {
      const operation = circuit === name ? name : '';
      this.options.reporter?.recordCircuit(row.interface, operation, isRefused || this.#breaker(circuit).open);
    }
  }

  /** Returns the task's result. @throws a timeout error when the call's deadline has passed. */
  #withTimeout<T>(call: Call, task: Promise<T>): Promise<T> {
    return inTime(task, this.#remainingMs(call), () => timeoutError(call));
  }

  #remainingMs({deadline}: Call): number {
    return deadline - this.options.clock.now();
  }
}

function logChange(name: string, change: 'opened' | 'closed' | null): void {
  if (change)
    log(change === 'opened' ? 'error' : 'info', change === 'opened' ? 'circuit_opened' : 'circuit_closed', {
      names: [name],
    });
}

/** The error for a call that was not sent, because its deadline passed while it waited for a token or quota permit. */
function timeoutError({name}: Call): PlatformError {
  return new PlatformError(name, {outcome: 'unsent', retryAfterMs: LATE_RETRY_DELAY_MS});
}

/** If a permit arrives after the call's deadline, frees its call slot and no longer counts the call. */
function releaseLate(pendingPermit: Promise<QuotaPermit | QuotaExhausted>): void {
  pendingPermit.then(
    (permit) => void ('release' in permit && permit.release()),
    () => {},
  );
}

/** Returns the quota refusal if the platform refused the call because of a limit. */
function quotaRefusalOf(failure: PlatformFailure): QuotaRefusal | undefined {
  return isRateLimited(failure) ? {retryAfterMs: retryAfterMsOf(failure)} : undefined;
}

/** Log field for a failure: the egress's reason, if there is one, because it is more exact than the failure's fault. */
function loggedFault(failure: PlatformFailure, cause: unknown): {fault?: string} {
  if (cause instanceof EgressError) return {fault: cause.reason};
  return failure.outcome === 'unknown' ? {fault: failure.fault} : {};
}

/**
 * Why a reply with a record that was not asked for is not a success: the platform has no such record, or nobody knows
 * what it changed.
 */
function failureOfOther({effect, interface: name}: Operation): PlatformFailure {
  if (effect !== 'read') return {outcome: 'unknown', fault: 'unreadable'};
  const refused = {outcome: 'refused', message: ''} as const;
  return name === 'micropayment' ? {...refused, status: 'HTTP_404', httpStatus: 404} : {...refused, status: 'ERR_006'};
}

/**
 * Returns why a reply is not a success. If the reply reports success but a field cannot be read, the failure is
 * `unreadable`.
 * @param othersIn - Returns null for a record that was not asked for.
 */
function failureOfReply(reply: PlatformReply, othersIn: (part: object) => number | null): PlatformFailure {
  if ('failure' in reply) return reply.failure;
  const {
    envelope: {success, status, message, httpStatus, subscription},
    retryAfterMs,
  } = reply;
  if (success) return {outcome: 'unknown', fault: 'unreadable'};
  return {
    outcome: 'refused',
    status,
    message,
    ...(httpStatus !== undefined && {httpStatus}),
    ...(retryAfterMs !== null && {retryAfterMs}),
    ...(subscription &&
      othersIn({subscription: {service: subscription.service}}) !== null && {
        subscription: {id: subscription.id, status: subscription.status},
      }),
  };
}
