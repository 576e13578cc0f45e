import type {CSSResult, LitElement} from 'lit';

/** Adds styles that only a later state needs to an element. @returns Whether they are new there. */
export function adopt({shadowRoot}: LitElement, {styleSheet}: CSSResult): boolean {
  if (!shadowRoot || !styleSheet || shadowRoot.adoptedStyleSheets.includes(styleSheet)) return false;
  shadowRoot.adoptedStyleSheets = [...shadowRoot.adoptedStyleSheets, styleSheet];
  return true;
}
