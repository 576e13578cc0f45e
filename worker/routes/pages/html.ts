/** Builds markup from templates, and escapes all values. */

/** Markup. Only `html` makes it from values, so no text reaches a page without being escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type HtmlValue = string | number | Html | readonly Html[] | false | null | undefined;

const ESCAPES: Readonly<Record<string, string>> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (found) => ESCAPES[found] ?? '');

/** A template of markup. Texts and numbers are escaped; null, undefined and false become nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(String.raw({raw: strings}, ...values.map(toMarkup)));
}

function toMarkup(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object' && value !== null) return value.map(({text}) => text).join('');
  return value === false || value === null || value === undefined ? '' : escapeHtml(String(value));
}
