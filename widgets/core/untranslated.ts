import {html, type TemplateResult} from 'lit';

/** A sentence whose value, such as a name or a number, stays as it is when the browser translates the page. */
export function withUntranslated(sentence: string, value: string): TemplateResult {
  const [before, ...after] = sentence.split(value || '\n');
  return html`${before}${after.length > 0 ? html`<span translate="no">${value}</span>` : ''}${after.join(value)}`;
}
