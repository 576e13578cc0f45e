/** An element of the page, with attributes and what stands in it. */
type Child = Node | string | null | undefined | false;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
  ...children: readonly (Child | readonly Child[])[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(
    ...children
      .flat()
      .filter((child): child is Node | string => child instanceof Node || (typeof child === 'string' && child !== '')),
  );
  return made;
}

/** A description's text: `code` and **what matters** are marked. */
export function marked(text: string): Node[] {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith('`')) return element('code', {}, part.slice(1, -1));
      if (part.startsWith('**')) return element('strong', {}, part.slice(2, -2));
      return document.createTextNode(part);
    });
}
