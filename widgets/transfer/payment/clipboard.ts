import {css, html, type TemplateResult} from 'lit';

/**
 * Puts text on the clipboard. In-app browsers and plain http refuse the modern way, so the old one follows: a field
 * that holds exactly the text, for as long as the copy takes. Safari sees no selection inside a shadow, so it stands outside of all.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyFromField(text);
  }
}

function copyFromField(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  // What cannot be edited calls no keyboard; letters of 16 px do not make iOS zoom.
  field.readOnly = true;
  Object.assign(field.style, {position: 'fixed', insetBlockStart: '0', opacity: '0', fontSize: '16px'});
  let copied = false;
  // The page may listen to copies too, and change them.
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
    copied = true;
  };
  const before = deepActiveElement();
  // All but an open dialog is out of reach.
  (document.querySelector(':modal') ?? document.body).append(field);
  field.focus({preventScroll: true});
  field.setSelectionRange(0, text.length);
  document.addEventListener('copy', give, true);
  try {
    copied = document.execCommand('copy') && copied;
  } catch {
    copied = false;
  }
  document.removeEventListener('copy', give, true);
  field.remove();
  before?.focus({preventScroll: true});
  return copied;
}

/** What has the focus, through all shadows. */
function deepActiveElement(): HTMLElement | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active as HTMLElement | null;
}

/** A text that the browser would not copy, in a field: to be selected and copied by hand, also where only fields let one. */
export function copyFallback(text: string, advice: string): TemplateResult {
  return html`<div class="copy-fallback">
    <p role="alert">${advice}</p>
    <input readonly aria-label=${advice} .value=${text} @focus=${selectAll} />
  </div>`;
}

/** To be called once the field is there. */
export function focusCopyFallback(root: ParentNode): void {
  root.querySelector<HTMLInputElement>('.copy-fallback input')?.focus();
}

function selectAll({target}: Event): void {
  const field = target as HTMLInputElement;
  // Safari drops what is selected while the focus is still coming.
  requestAnimationFrame(() => field.setSelectionRange(0, field.value.length));
}

export const copyFallbackStyles = css`
  .copy-fallback {
    margin-block-start: 0.5em;
    color: var(--_warn);
    font-size: 0.875em;
    font-weight: 600;
  }
  .copy-fallback input {
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
    .copy-fallback {
      display: none;
    }
  }
`;
