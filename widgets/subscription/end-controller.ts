import {html, nothing, type TemplateResult} from 'lit';
import type * as cards from '../bundles/subscription-end.ts';
import {lazyElements} from '../core/define.ts';
import type {Locale} from '../core/locale.ts';
import type {Problem} from '../core/problem.ts';
import {StoreController} from '../core/store.ts';
import type {VezneElement} from '../core/vezne-element.ts';
import {troubleMessages} from '../locales/trouble.ts';

type EndCards = typeof cards;

const endCards = lazyElements(() => import('../bundles/subscription-end.ts'));

/** Loads the cards of `end-cards.ts` while the shopper reads or types, and renders one of them in its host. */
export class EndController {
  readonly #host: VezneElement<unknown>;
  readonly #cards: StoreController<typeof endCards>;

  constructor(host: VezneElement<unknown>) {
    this.#host = host;
    this.#cards = new StoreController(host, () => endCards);
  }

  /** The cards; undefined until they have loaded. */
  get cards(): EndCards | undefined {
    return this.#cards.store?.value;
  }

  /**
   * @param title - Is shown alone if the cards did not load, because the shopper must still learn the outcome.
   * @param isAnnounced - Whether a screen reader must announce the title, because the card does not get the focus.
   */
  render(title: string, renderCard: (cards: EndCards) => TemplateResult, isAnnounced = false): TemplateResult {
    const result = this.#cards.store?.result;
    if (result?.status === 'failed') return html`<h3 tabindex="-1" data-autofocus>${title}</h3>`;
    if (result?.status !== 'done') return this.#host.renderSkeleton();
    return html`${isAnnounced ? html`<p class="visually-hidden" role="alert">${title}</p>` : nothing}${renderCard(result.value)}`;
  }
}

/** The title of a refusal. */
export function refusalTitle({refusal}: Problem, locale: Locale): string {
  return refusal?.messages[locale].title ?? troubleMessages[locale].busyTitle;
}
