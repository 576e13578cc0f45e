import {css, html, type TemplateResult} from 'lit';

/** A text that the browser would not copy, in a field: to be selected and copied by hand, also where only fields let one. */
export function byHand(text: string, advice: string): TemplateResult {
  return html`<div class="by-hand">
    <p role="alert">${advice}</p>
    <input readonly aria-label=${advice} .value=${text} @focus=${select} />
  </div>`;
}

/** To be called once the field is there. */
export function selectByHand(root: ParentNode): void {
  root.querySelector<HTMLInputElement>('.by-hand input')?.focus();
}

function select({target}: Event): void {
  const field = target as HTMLInputElement;
  // Safari drops what is selected while the focus is still coming.
  requestAnimationFrame(() => field.setSelectionRange(0, field.value.length));
}

export const byHandStyles = css`
  .by-hand {
    margin-block-start: 0.5em;
    color: var(--_warn);
    font-size: 0.875em;
    font-weight: 600;
  }
  .by-hand input {
    display: block;
    inline-size: 100%;
    min-block-size: 44px;
    margin-block-start: 0.375em;
    padding: 0.5em 0.75em;
    border: 1px solid var(--_edge);
    border-radius: calc(var(--_radius) - 6px);
    background: var(--_paper);
    color: var(--_ink);
    font: inherit;
    font-size: max(16px, 1em);
  }
  @media print {
    .by-hand {
      display: none;
    }
  }
`;
