/**
 * What each attribute of an element promises, as rows from the manifest: plain HTML, and every framework of
 * `npm run frameworks`, sets values, and this table says what the element must then have.
 */

/** The parts of an element's declaration in the manifest that the table needs. */
export interface ElementRow {
  readonly tagName: string;
  readonly attributes: readonly {readonly name: string; readonly fieldName?: string; readonly type?: {text: string}}[];
  readonly events: readonly {readonly name: string}[];
}

/** The values by the names of the attributes. Undefined removes an attribute. */
export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** The values that follow each other. The last ones are removed. */
export const ROUNDS = [0, 1, 2] as const;
export type Round = (typeof ROUNDS)[number];

type Attribute = ElementRow['attributes'][number];

export const isBoolean = ({type}: Attribute): boolean => type?.text === 'boolean';

/** The name of the property. */
export const fieldOf = ({name, fieldName}: Attribute): string =>
  fieldName ?? name.replaceAll(/-\w/g, ([, letter = '']) => letter.toUpperCase());

/** Whoever has these can open something, so a property never becomes an attribute that scripts and recorders read. */
const opensSomething = (name: string): boolean => /^(session|link)$|(token|secret|pin|key)$/.test(name);

/** The attribute `value` of a form control is its value after a reset. */
const isReflected = ({name}: Attribute): boolean => name !== 'value' && !opensSomething(name);

/** @param api - The address of a Worker. */
export function valuesOf({attributes}: ElementRow, round: Round, api: string): Values {
  return Object.fromEntries(attributes.map((attribute) => [attribute.name, valueOf(attribute, round, api)]));
}

function valueOf(attribute: Attribute, round: Round, api: string): string | boolean | undefined {
  const {name, type} = attribute;
  if (round === 2) return undefined;
  if (isBoolean(attribute)) return round === 0;
  // Two texts for the same address.
  if (name === 'api') return round === 0 ? api : `${api}/`;
  const choices = [...(type?.text ?? '').matchAll(/'([\w-]+)'/g)].map(([, choice = '']) => choice);
  return choices[round % choices.length] ?? `${name}-${round}`;
}

/**
 * Says which attributes of the element are not as they must be with these values.
 * @param isByProperty - Whether the value of this attribute was set as a property.
 */
export function differences(
  element: Element,
  row: ElementRow,
  values: Values,
  isByProperty: (name: string) => boolean,
): string[] {
  const fields = element as unknown as Readonly<Record<string, unknown>>;
  const untouched = document.createElement(row.tagName) as unknown as typeof fields;
  const found: string[] = [];
  const compare = (what: string, actual: unknown, ...wanted: unknown[]) => {
    if (!wanted.includes(actual))
      found.push(`${row.tagName} ${what}: ${String(actual)} instead of ${wanted.join(' or ')}`);
  };
  for (const attribute of row.attributes) {
    const {name} = attribute;
    const field = fieldOf(attribute);
    const value = values[name];
    const text = element.getAttribute(name);
    if (isBoolean(attribute)) {
      compare(`property ${field}`, fields[field], !!value);
      compare(`attribute ${name}`, text !== null, !!value);
    } else if (value === undefined) {
      // Some frameworks set an empty text.
      const nothing = ['', untouched[field]];
      // Preact leaves the value of a form control when its template names none, also that of an `<input>`.
      if (name !== 'value') compare(`property ${field}`, fields[field], ...nothing);
      if (isReflected(attribute)) compare(`attribute ${name}`, text, null, ...nothing);
    } else {
      compare(`property ${field}`, fields[field], value);
      if (isReflected(attribute)) compare(`attribute ${name}`, text, value);
      else if (isByProperty(name)) compare(`attribute ${name}`, text, null);
    }
  }
  const {formAssociated} = element.constructor as {formAssociated?: boolean};
  const form = element.closest('form');
  if (formAssociated && form)
    compare(
      'form data',
      new FormData(form).get(String(values['name'] ?? '')),
      values['disabled'] || !values['name'] ? null : fields['value'],
    );
  return found;
}

/** Says which events of the element did not reach a listener exactly once. */
export function missedEvents(element: Element, {tagName, events}: ElementRow, heard: readonly Event[]): string[] {
  return events.flatMap(({name}) => {
    const event = new Event(name, {bubbles: true, composed: true});
    element.dispatchEvent(event);
    const count = heard.filter((each) => each === event).length;
    return count === 1 ? [] : [`${tagName} event ${name}: heard ${count} times`];
  });
}
