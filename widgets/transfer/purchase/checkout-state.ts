import type {Problem} from '../../core/problem.ts';
import type {BrowserStorage} from '../../core/storage.ts';
import {Store} from '../../core/store.ts';
import {claimHandoffLink, type HandoffLink} from './handoff-link.ts';
import type {PurchaseKey, SavedOrder, CheckoutStep} from './saved-order.ts';

/**
 * The shopper's choices: whether to open the hand-off link, the bank, and the step of the checkout. The bank and the
 * step survive a reload.
 */
export class CheckoutState extends Store {
  /** The code of the bank that the shopper last chose at this Worker, for any offer; or an empty string. */
  readonly lastBank: string;
  #storage: BrowserStorage<SavedOrder>;
  #bank = '';
  #step: CheckoutStep = 'bank';
  /** The hand-off link that opened this page. It is removed when the shopper has decided whether to open its order. */
  link: HandoffLink | undefined;
  /** Why the link could not be opened. The next choice that the shopper makes removes this problem. */
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

  /** The code of the chosen bank, or an empty string. */
  get bank(): string {
    return this.#bank;
  }

  get step(): CheckoutStep {
    return this.#step;
  }

  /** @param isOwn - Whether the shopper has an account at this bank. The next checkout shows such a bank first. */
  chooseBank(bank: string, isOwn = true): void {
    this.#bank = bank;
    this.#storage.write({bank});
    if (isOwn) this.lastBankStorage.write({bank});
    this.#update();
  }

  goTo(step: CheckoutStep): void {
    this.#step = step;
    this.#storage.write({stage: step});
    this.#update();
  }

  /** Switches to another order, and to the bank and step that are saved for this order. */
  switchTo(storage: BrowserStorage<SavedOrder>): void {
    const {bank, stage} = storage.read();
    this.#storage = storage;
    this.#bank = bank ?? this.lastBank;
    this.#step = stage === 'pay' ? 'pay' : 'bank';
    this.#update();
  }

  /** Removes the link, because the shopper has opened or declined it, or because it has failed with `problem`. */
  closeLink(problem?: Problem): void {
    this.link = undefined;
    this.#update(problem);
  }

  #update(problem?: Problem): void {
    this.problem = problem;
    this.notify();
  }
}
