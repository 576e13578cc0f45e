import type {Problem} from '../../core/problem.ts';
import type {BrowserStorage} from '../../core/storage.ts';
import {Store} from '../../core/store.ts';
import {claimHandoffLink, type HandoffLink} from './handoff-link.ts';
import type {PurchaseKey, SavedOrder, CheckoutStep} from './saved-order.ts';

/** What the shopper chose on this page: whether to open what a link brought, the bank, and to go on. Outlives a reload. */
export class CheckoutState extends Store {
  /** Code of the bank chosen the last time at this Worker, whatever was bought; or nothing. */
  readonly lastBank: string;
  #storage: BrowserStorage<SavedOrder>;
  #bank = '';
  #step: CheckoutStep = 'bank';
  /** The link this page was opened with, until the shopper has said whether to open what it brings. */
  link: HandoffLink | undefined;
  /** Why the link led nowhere, until the shopper chooses anything else. */
  problem: Problem | undefined;

  constructor(
    key: PurchaseKey,
    storage: BrowserStorage<SavedOrder>,
    readonly lastBankStorage: BrowserStorage<Pick<SavedOrder, 'bank'>>,
  ) {
    super();
    this.link = claimHandoffLink(key);
    this.lastBank = lastBankStorage.read().bank ?? '';
    this.#storage = storage;
    this.switchTo(storage);
  }

  /** Code of the chosen bank, or nothing. */
  get bank(): string {
    return this.#bank;
  }

  get step(): CheckoutStep {
    return this.#step;
  }

  chooseBank(bank: string): void {
    this.#bank = bank;
    this.#storage.write({bank});
    this.lastBankStorage.write({bank});
    this.#update();
  }

  goTo(step: CheckoutStep): void {
    this.#step = step;
    this.#storage.write({stage: step});
    this.#update();
  }

  /** Another order has its turn, with what was chosen for it. */
  switchTo(storage: BrowserStorage<SavedOrder>): void {
    const {bank, stage} = storage.read();
    this.#storage = storage;
    this.#bank = bank ?? this.lastBank;
    this.#step = stage === 'pay' ? 'pay' : 'bank';
    this.#update();
  }

  /** The link was opened or left, or led nowhere. */
  closeLink(problem?: Problem): void {
    this.link = undefined;
    this.#update(problem);
  }

  /** Settled when no link waits for its answer: nothing else can be chosen before. */
  async linkAnswered(): Promise<void> {
    if (this.link) await new Promise<void>((resolve) => void this.subscribe(resolve));
  }

  #update(problem?: Problem): void {
    this.problem = problem;
    this.notify();
  }
}
