import {unsafeCSS, type CSSResult} from 'lit';

/** As Lit's `css`, which is larger because it explains mistakes that the types here exclude. */
export function css(strings: TemplateStringsArray, ...values: readonly (CSSResult | string)[]): CSSResult {
  return unsafeCSS(String.raw({raw: strings}, ...values));
}
