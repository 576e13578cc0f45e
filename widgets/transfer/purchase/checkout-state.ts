import type {Problem} from '../../core/problem.ts';
import type {SessionStore} from '../../core/storage.ts';
import {Watched} from '../../core/store.ts';
import {claimHandoff, type HandoffLink} from './handoff-link.ts';
import type {PurchaseKey, Remembered, Stage} from './saved-order.ts';

/** What the shopper chose on this page: whether to open what a link brought, the bank, and to go on. Outlives a reload. */
export class Choice extends Watched {
  /** Code of the bank chosen the last time at this Worker, whatever was bought; or nothing. */
  readonly lastBank: string;
  #store: SessionStore<Remembered>;
  #bank = '';
  #stage: Stage = 'bank';
  /** The link this page was opened with, until the shopper has said whether to open what it brings. */
  link: HandoffLink | undefined;
  /** Why the link led nowhere, until the shopper chooses anything else. */
  problem: Problem | undefined;

  constructor(
    purchase: PurchaseKey,
    store: SessionStore<Remembered>,
    readonly habit: SessionStore<Pick<Remembered, 'bank'>>,
  ) {
    super();
    this.link = claimHandoff(purchase);
    this.lastBank = habit.read().bank ?? '';
    this.#store = store;
    this.turnTo(store);
  }

  /** Code of the chosen bank, or nothing. */
  get bank(): string {
    return this.#bank;
  }

  get stage(): Stage {
    return this.#stage;
  }

  choose(bank: string): void {
    this.#bank = bank;
    this.#store.write({bank});
    this.habit.write({bank});
    this.#chosen();
  }

  enter(stage: Stage): void {
    this.#stage = stage;
    this.#store.write({stage});
    this.#chosen();
  }

  /** Another order has its turn, with what was chosen for it. */
  turnTo(store: SessionStore<Remembered>): void {
    const {bank, stage} = store.read();
    this.#store = store;
    this.#bank = bank ?? this.lastBank;
    this.#stage = stage === 'pay' ? 'pay' : 'bank';
    this.#chosen();
  }

  /** The link was opened or left, or led nowhere. */
  closeLink(problem?: Problem): void {
    this.link = undefined;
    this.#chosen(problem);
  }

  /** Settled when no link waits for its answer: nothing else can be chosen before. */
  async answered(): Promise<void> {
    if (this.link) await new Promise<void>((resolve) => void this.watch(resolve));
  }

  #chosen(problem?: Problem): void {
    this.problem = problem;
    this.changed();
  }
}
