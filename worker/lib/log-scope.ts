/**
 * The log scope: the fields that all log lines of one request, or of one run of an alarm, have in common, so that an
 * operator finds all these lines. The scope follows asynchronous work. `objects.ts` passes the scope on with each call
 * to a Durable Object.
 */

import {AsyncLocalStorage} from 'node:async_hooks';

export interface LogScope {
  /** Id of the request that caused the line; the `x-request-id` of its answer. */
  readonly request_id?: string;
  /** Id of one run of a Durable Object's alarm, and of all calls that this run makes. */
  readonly alarm_id?: string;
  readonly service?: string;
  readonly order?: string;
}

const scopes = new AsyncLocalStorage<LogScope>();

/** The fields of the running request or alarm; empty if no request or alarm runs. */
export function currentLogScope(): LogScope {
  return scopes.getStore() ?? {};
}

/** Runs a task. All log lines of the task get these fields and the fields of the running scope. */
export function withLogScope<T>(scope: LogScope, task: () => T): T {
  return scopes.run({...scopes.getStore(), ...scope}, task);
}

/**
 * Adds fields to the running scope as soon as the fields are known. If a call to a Durable Object is already in
 * progress, the log lines of that call do not get these fields.
 */
export function addToLogScope(fields: LogScope): void {
  const scope = scopes.getStore();
  if (scope) Object.assign(scope, fields);
}

/** Binds a callback to the running scope, so that the callback has this scope even if another call runs it. */
export function bindLogScope<A extends unknown[], R>(callback: (...args: A) => R): (...args: A) => R {
  const scope = currentLogScope();
  return (...args) => scopes.run(scope, () => callback(...args));
}
