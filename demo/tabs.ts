/** Tabs that switch between two panels on a narrow screen. A wide screen shows both panels and hides the tabs. */

const narrow = matchMedia('(max-width: 899px)');

export class Tabs {
  readonly #bar: HTMLElement;
  readonly #tabs: readonly HTMLButtonElement[];
  /** The panel beside the main content on a wide screen. */
  readonly #sidePanel = document.querySelector('main > [role="complementary"]');
  #chosen = 0;
  /** How far each panel was scrolled when it was left. */
  readonly #scrolled: number[] = [];

  constructor(bar: HTMLElement) {
    this.#bar = bar;
    this.#tabs = [...bar.querySelectorAll('button')];
    for (const [index, tab] of this.#tabs.entries()) {
      tab.addEventListener('click', () => this.#choose(index));
      tab.addEventListener('keydown', (event) => this.#onKey(event));
    }
    narrow.addEventListener('change', () => this.#draw());
    this.#draw();
  }

  /** Marks the tab of a panel whose content has changed, unless that tab is already chosen. */
  notify(panelId: string): void {
    for (const [index, tab] of this.#tabs.entries()) {
      if (tab.dataset['panel'] === panelId && index !== this.#chosen) tab.classList.add('has-update');
    }
  }

  #choose(index: number): void {
    this.#scrolled[this.#chosen] = scrollY;
    this.#chosen = index;
    this.#tabs[index]?.classList.remove('has-update');
    this.#draw();
    scrollTo({top: this.#scrolled[index] ?? 0});
  }

  #onKey(event: KeyboardEvent): void {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (step === undefined) return;
    const next = (this.#chosen + step + this.#tabs.length) % this.#tabs.length;
    this.#choose(next);
    this.#tabs[next]?.focus();
  }

  #draw(): void {
    this.#bar.hidden = !narrow.matches;
    this.#bar.role = narrow.matches ? 'tablist' : null;
    for (const [index, tab] of this.#tabs.entries()) {
      const chosen = index === this.#chosen;
      tab.role = 'tab';
      tab.ariaSelected = String(chosen);
      tab.tabIndex = chosen ? 0 : -1;
      tab.setAttribute('aria-controls', tab.dataset['panel'] ?? '');
      const panel = document.querySelector<HTMLElement>(`#${tab.dataset['panel']}`);
      if (!panel) continue;
      panel.hidden = narrow.matches && !chosen;
      panel.role = narrow.matches ? 'tabpanel' : panel === this.#sidePanel ? 'complementary' : null;
    }
  }
}
