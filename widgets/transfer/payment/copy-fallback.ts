import {html, type TemplateResult} from 'lit';
import {adopt} from '../../core/styles/adopt.ts';
import {css} from '../../core/styles/css.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import {copyFallbackMessages} from '../../locales/payment/copy-fallback.ts';

const styles = css`
  .copy-fallback {
    inline-size: 100%;
    margin-block: 0.5em 1em;
    text-align: start;
    color: var(--_warn);
    font-size: 0.875em;
    font-weight: 600;
  }
  textarea {
    display: block;
    inline-size: 100%;
    min-block-size: 44px;
    margin-block-start: 0.75em;
    padding: 0.5em 0.75em;
    border: 1px solid var(--_edge);
    border-radius: calc(var(--_radius) - 6px);
    background: var(--_paper);
    color: var(--_ink);
    font: inherit;
    font-weight: 400;
    font-size: max(16px, 1em);
    field-sizing: content;
    resize: none;
  }
  @media print {
    .copy-fallback {
      display: none;
    }
  }
`;

/**
 * Renders a field with a text that the browser refused to copy, so that the shopper can select and copy the text. The
 * field keeps the line breaks of the text, and is as high as the text.
 */
export function copyFallback(text: string, host: VezneElement<unknown>): TemplateResult {
  adopt(host, styles);
  const advice = copyFallbackMessages[host.locale];
  return html`<div class="copy-fallback">
    <p role="alert">${advice}</p>
    <textarea readonly rows="1" aria-label=${advice} .value=${text} @focus=${selectAll}></textarea>
  </div>`;
}

function selectAll({target}: Event): void {
  const field = target as HTMLTextAreaElement;
  // Firefox has no `field-sizing`. The field has a border of 1 px above and below the text.
  field.style.minBlockSize = `${field.scrollHeight + 2}px`;
  // Safari clears a selection that is made during the focus event.
  requestAnimationFrame(() => field.setSelectionRange(0, field.value.length));
}
