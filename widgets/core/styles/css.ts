import {unsafeCSS, type CSSResult} from 'lit';

/** Makes a style sheet, as Lit's tag of the same name does, which also explains mistakes that the types here exclude. */
export function css(strings: TemplateStringsArray, ...values: readonly (CSSResult | string)[]): CSSResult {
  return unsafeCSS(String.raw({raw: strings}, ...values));
}
