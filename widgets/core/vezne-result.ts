import {html, type TemplateResult} from 'lit';
import {type Result, resultCard, resultStyles} from './result.ts';
import {css} from './styles/css.ts';
import {VezneElement} from './vezne-element.ts';

const styles = css`
  /* The card uses the color scheme of the element around it, not the device's. */
  :host {
    color-scheme: inherit;
  }
  .base {
    padding: 0;
  }
  /* As the card's own links, unless the page says otherwise. */
  ::slotted(a) {
    color: var(--_link);
    font-weight: 600;
  }
`;

/**
 * The card that ends a journey. The card is a separate element, so that other elements can load it later, together with
 * its texts. The children of the element are the next step.
 *
 * @tag vezne-result
 * @csspart status - The card.
 * @csspart row - Each row of details.
 */
export class VezneResult extends VezneElement<null> {
  static readonly tag = 'vezne-result';
  static override properties = {result: {attribute: false}};
  static override styles = [VezneElement.styles, resultStyles, styles];

  protected override readonly messages = {tr: null, en: null};

  result: Result = {tone: 'good', title: ''};

  /** Focuses the title, so that a screen reader reads the card. */
  override focus(options?: FocusOptions): void {
    void this.updateComplete.then(() => this.find('h2')?.focus(options));
  }

  override renderSkeleton(): TemplateResult {
    return html``;
  }

  protected override renderContent(): TemplateResult {
    return resultCard({...this.result, footer: html`<slot></slot>`});
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-result': VezneResult;
  }
}
