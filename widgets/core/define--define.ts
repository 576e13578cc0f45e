/** A class that says under which name it works. */
export interface ElementClass extends CustomElementConstructor {
  readonly tag: string;
}

/** Registers elements. Names that are taken stay as they are, whoever took them. */
export function define(elements: readonly ElementClass[]): void {
  for (const element of elements) {
    if (!customElements.get(element.tag)) customElements.define(element.tag, element);
  }
}
