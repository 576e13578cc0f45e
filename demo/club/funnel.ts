/** How many got how far, counted from what the sandbox was told: anybody can tell it anything, so these are no figures to pay by. */
import type {SandboxClient} from '../sandbox-client.ts';

const REFRESH_MS = 2_000;

export class Funnel {
  readonly #bars: readonly HTMLElement[];
  readonly #sandbox: SandboxClient;

  constructor(funnel: HTMLElement, sandbox: SandboxClient) {
    this.#bars = [...funnel.querySelectorAll<HTMLElement>('[data-count]')];
    this.#sandbox = sandbox;
    setInterval(() => void this.refresh(), REFRESH_MS);
    document.addEventListener('visibilitychange', () => void this.refresh());
  }

  async refresh(): Promise<void> {
    if (document.hidden) return;
    try {
      const [activities, subscriptions] = await Promise.all([this.#sandbox.activities(), this.#sandbox.subscriptions()]);
      const steps = [...activities.map(({type}) => type), ...subscriptions.map(() => 'subscribed')];
      const counts = this.#bars.map(({dataset}) => steps.filter((step) => step === dataset['count']).length);
      const most = Math.max(1, ...counts);
      for (const [index, bar] of this.#bars.entries()) {
        const count = counts[index] ?? 0;
        bar.textContent = String(count);
        bar.style.setProperty('--share', String(count / most));
      }
    } catch {
      // The sandbox is away; the next round tells.
    }
  }
}
