/** HTML that was written here; everything else is text and gets escaped. */
export class Html {
  constructor(readonly text: string) {}
}

export type Part = Html | string | number | false | undefined | readonly Part[];

/** Joins literals with values: text is escaped, `Html` stays, lists are joined, `false` and `undefined` are nothing. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(literals.map((literal, index) => literal + write(parts[index])).join(''));
}

function write(part: Part): string {
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
