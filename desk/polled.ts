/** Loads what a view shows, and loads it again while somebody looks. */

import type {ReactiveController, ReactiveControllerHost} from 'lit';
import {Problem} from '../widgets/core/problem.ts';
import {Query} from '../widgets/core/query.ts';
import {DeskProblem} from './client.ts';

export interface PolledOptions {
  /** How long an answer is shown before it is read again. Without it, it is read once. */
  readonly everyMs?: number;
}

const NOTHING = () => '';

/** A `Query` for each key, which also says how far its work is, and why an answer became no newer. */
export class Polled<T> implements ReactiveController {
  /** Why the last read failed. An older answer may still be there. */
  problem: DeskProblem | undefined;
  /** Says how far the work is, in the language of the host. */
  progress: () => string = NOTHING;
  isLoading = false;
  #key: string | null = null;
  #query: Query<T> | undefined;
  #unsubscribe: (() => void) | undefined;
  #isConnected = false;

  constructor(
    readonly host: ReactiveControllerHost,
    readonly load: (signal: AbortSignal, say: (progress: () => string) => void) => Promise<T>,
    readonly options: PolledOptions = {},
  ) {
    host.addController(this);
  }

  get value(): T | undefined {
    return this.#query?.value;
  }

  /** Says what to show. A new key drops the answer. @param key - Null for nothing. */
  show(key: string | null): void {
    if (key === this.#key) return;
    this.#key = key;
    this.#unsubscribe?.();
    this.problem = undefined;
    this.isLoading = false;
    this.#query =
      key === null ? undefined : new Query((signal) => this.#read(signal), {freshMs: this.options.everyMs ?? Infinity});
    if (this.#isConnected) this.hostConnected();
  }

  /** Drops the answer, and reads it again at once. */
  reload(): void {
    this.#query?.reload();
  }

  hostConnected(): void {
    this.#isConnected = true;
    this.#unsubscribe = this.#query?.subscribe(() => this.host.requestUpdate());
  }

  hostDisconnected(): void {
    this.#isConnected = false;
    this.#unsubscribe?.();
  }

  async #read(signal: AbortSignal): Promise<T> {
    const tell = (isLoading: boolean, progress = NOTHING) => {
      if (signal.aborted) return;
      Object.assign(this, {isLoading, progress});
      this.host.requestUpdate();
    };
    tell(true);
    try {
      const value = await this.load(signal, (progress) => tell(true, progress));
      if (!signal.aborted) this.problem = undefined;
      return value;
    } catch (thrown) {
      const problem = thrown instanceof DeskProblem ? thrown : new DeskProblem('unreadable');
      if (!signal.aborted && problem !== thrown) reportError(thrown);
      if (!signal.aborted) this.problem = problem;
      throw new Problem('unreadable', problem.retryable);
    } finally {
      tell(false);
    }
  }
}
