/** How many got how far, counted from what the sandbox was told: anybody can tell it anything, so these are no figures to pay by. */

import {keepFresh} from '../keep-fresh.ts';
import type {SandboxClient} from '../sandbox-client.ts';

export class Funnel {
  /** Draws it at once; it does so by itself too. */
  readonly refresh = keepFresh(() => this.#draw());

  readonly #bars: readonly HTMLElement[];
  readonly #sandbox: SandboxClient;

  constructor(funnel: HTMLElement, sandbox: SandboxClient) {
    this.#bars = [...funnel.querySelectorAll<HTMLElement>('[data-count]')];
    this.#sandbox = sandbox;
  }

  async #draw(): Promise<void> {
    const {activities, subscriptions} = await this.#sandbox.funnel();
    const steps: Readonly<Record<string, number>> = {...activities, subscribed: subscriptions};
    const counts = this.#bars.map(({dataset}) => steps[dataset['count'] ?? ''] ?? 0);
    const most = Math.max(1, ...counts);
    for (const [index, bar] of this.#bars.entries()) {
      const count = counts[index] ?? 0;
      bar.textContent = String(count);
      bar.style.setProperty('--share', String(count / most));
    }
  }
}
