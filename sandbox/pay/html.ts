import type {PageTexts} from './texts.ts';

/** HTML that the sandbox wrote. Everything else is text and gets escaped. */
export class Html {
  constructor(readonly text: string) {}
}

export type HtmlPart = Html | string | number | false | undefined | readonly HtmlPart[];

/** Joins literals and values: escapes text, keeps `Html`, joins lists and leaves out `false` and `undefined`. */
export function html(literals: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(literals.map((literal, index) => literal + write(parts[index])).join(''));
}

function write(part: HtmlPart): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part));
  return part.map(write).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  /** Smaller text under the label. */
  readonly hint?: string;
  /** The text that says what is wrong with the value. */
  readonly error?: string | undefined;
  readonly type?: 'text' | 'tel' | 'email';
  readonly inputMode?: 'numeric' | 'decimal';
  readonly autocomplete?: string;
}

/** A labelled input. The page, not the browser, shows the error, so that it is in the language of the page. */
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

export interface Fact {
  readonly label: string;
  readonly value: string;
  /** The text that the copy button copies; without it there is no button. */
  readonly copy?: string;
}

/** Facts in rows, with a copy button next to each value that has a `copy` text. */
export function factList(rows: readonly Fact[], texts: PageTexts): Html {
  return html`<dl>
${rows.map(
  ({label, value, copy}) => html`<div><dt>${label}</dt><dd><span>${value}</span>${
    copy !== undefined &&
    html`<button type="button" class="plain" hidden data-copy="${copy}" data-copied="${texts.copied}: ${label}" aria-label="${texts.copy}: ${label}">${texts.copy}</button>`
  }</dd></div>
`,
)}</dl>`;
}
