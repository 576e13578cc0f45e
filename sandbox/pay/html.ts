import {html, type Html} from './html--html.ts';
import type {Words} from './texts.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  /** Smaller text under the label. */
  readonly hint?: string;
  /** What is wrong with it. */
  readonly error?: string | undefined;
  readonly type?: 'text' | 'tel' | 'email';
  readonly inputMode?: 'numeric' | 'decimal';
  readonly autocomplete?: string;
}

/** A labelled input. What is wrong is said by the page, not by the browser, in the page's language. */
export function inputField({
  name,
  label,
  value = '',
  hint,
  error,
  type = 'text',
  inputMode,
  autocomplete = 'off',
}: Field): Html {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return html`<div class="field">
  <label for="${name}">${label}</label>
  ${hint && html`<small id="${name}-hint">${hint}</small>`}
  <input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${
    inputMode && html` inputmode="${inputMode}"`
  }${described !== '' && html` aria-describedby="${described}"`}${Boolean(error) && html` aria-invalid="true" autofocus`}>
  ${error && html`<span class="error" id="${name}-error">${error}</span>`}
</div>`;
}

export interface Row {
  readonly label: string;
  readonly value: string;
  /** What the copy button copies; without it there is none. */
  readonly copy?: string;
}

/** Facts in rows, with a button beside those that one copies. */
export function factList(rows: readonly Row[], texts: Words): Html {
  return html`<dl>
${rows.map(
  ({label, value, copy}) => html`<div><dt>${label}</dt><dd><span>${value}</span>${
    copy !== undefined &&
    html`<button type="button" class="plain" hidden data-copy="${copy}" data-copied="${texts.copied}: ${label}" aria-label="${texts.copy}: ${label}">${texts.copy}</button>`
  }</dd></div>
`,
)}</dl>`;
}
