/** Helpers that create the HTML elements of the API page. */

type Child = Node | string | null | undefined | false;

/** Creates an HTML element with attributes and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
  ...children: readonly (Child | readonly Child[])[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) created.setAttribute(name, value === true ? '' : value);
  }
  created.append(
    ...children
      .flat()
      .filter((child): child is Node | string => child instanceof Node || (typeof child === 'string' && child !== '')),
  );
  return created;
}

/** Converts a description to nodes: `code` and **bold** text become elements. */
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
