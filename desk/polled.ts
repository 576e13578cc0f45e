/** Loads what a view shows, and loads it again while somebody looks. */

import type {ReactiveController, ReactiveControllerHost} from 'lit';
import {DeskProblem} from './client.ts';

export interface PolledOptions {
  /** How long an answer is shown before it is read again. Without it, it is read once. */
  readonly everyMs?: number;
}

/**
 * The answer for a key. A new key drops the answer. Nothing is read while the page is hidden, and what is old is read
 * again when the page is shown.
 */
export class Polled<T> implements ReactiveController {
  value: T | undefined;
  problem: DeskProblem | undefined;
  /** How far the work is; empty if it says nothing. */
  progress = '';
  #key: string | null = null;
  #request: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #readAt = 0;
  readonly #onVisible = () => this.#plan();

  constructor(
    readonly host: ReactiveControllerHost,
    readonly load: (signal: AbortSignal, say: (progress: string) => void) => Promise<T>,
    readonly options: PolledOptions = {},
  ) {
    host.addController(this);
  }

  get isLoading(): boolean {
    return this.#request !== undefined;
  }

  /** Says what to show. @param key - Null for nothing. */
  show(key: string | null): void {
    if (key === this.#key) return;
    this.#key = key;
    this.value = undefined;
    this.problem = undefined;
    this.stop();
    if (key !== null) void this.#run();
  }

  /** Reads again, at once. */
  reload(): void {
    this.stop();
    if (this.#key !== null) void this.#run();
  }

  /** Ends what runs, and plans nothing. */
  stop(): void {
    this.#request?.abort();
    this.#request = undefined;
    this.progress = '';
    clearTimeout(this.#timer);
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this.#onVisible);
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.#onVisible);
    this.stop();
  }

  async #run(): Promise<void> {
    const request = new AbortController();
    this.#request = request;
    this.host.requestUpdate();
    const say = (progress: string) => {
      if (request !== this.#request) return;
      this.progress = progress;
      this.host.requestUpdate();
    };
    try {
      const value = await this.load(request.signal, say);
      if (request !== this.#request) return;
      this.value = value;
      this.problem = undefined;
    } catch (thrown) {
      if (request !== this.#request) return;
      if (!(thrown instanceof DeskProblem)) reportError(thrown);
      this.problem = thrown instanceof DeskProblem ? thrown : new DeskProblem('unreadable');
    }
    this.#request = undefined;
    this.progress = '';
    this.#readAt = Date.now();
    this.#plan();
    this.host.requestUpdate();
  }

  #plan(): void {
    clearTimeout(this.#timer);
    const {everyMs} = this.options;
    if (document.hidden || everyMs === undefined || this.#key === null || this.#request || this.#isFinal()) return;
    const waitMs = Math.max(0, this.#readAt + everyMs - Date.now());
    this.#timer = setTimeout(() => void this.#run(), waitMs);
  }

  /** A refusal stays one until somebody asks again. */
  #isFinal(): boolean {
    return this.problem !== undefined && !this.problem.retryable;
  }
}
