import {element, marked} from './element.ts';
import {messages} from './messages.ts';
import type {Field, Limits, Range, Shape} from './shape.ts';

/** Who gives the value: of an answer it goes without saying that its fields are there. */
type Giver = 'caller' | 'worker';

/** The fields of a value, those inside them below; the forms of a value that has several under their titles. */
export function fieldList({fields, forms}: Pick<Shape, 'fields' | 'forms'>, giver: Giver): HTMLElement[] {
  if (forms.length > 0) {
    return forms.flatMap(({title, fields: inner}) => [
      element('p', {class: 'form-title'}, element('code', {}, title)),
      ...fieldList({fields: inner, forms: []}, giver),
    ]);
  }
  return fields.length > 0
    ? [
        element(
          'ul',
          {class: 'fields'},
          fields.map((field) => fieldItem(field, giver)),
        ),
      ]
    : [];
}

function fieldItem({name, required, shape}: Field, giver: Giver): HTMLElement {
  const about = [
    ...shape.limits.flatMap(describeLimits),
    ...(shape.example === undefined ? [] : [exampleOf(shape.example)]),
  ];
  return element(
    'li',
    {},
    element(
      'p',
      {class: 'field'},
      element('code', {class: 'name'}, name),
      ' ',
      element('span', {class: 'type'}, shape.type),
      ' ',
      required
        ? giver === 'caller' && element('span', {class: 'need'}, messages.required)
        : element('span', {class: 'quiet'}, messages.optional),
    ),
    shape.description !== undefined && element('p', {lang: 'en'}, marked(shape.description)),
    about.length > 0 &&
      element('p', {class: 'quiet'}, ...about.flatMap((part, index) => (index === 0 ? [part] : [' · ', part]))),
    fieldList(shape, giver),
  );
}

function exampleOf(value: unknown): Node {
  return element(
    'span',
    {},
    `${messages.such} `,
    element('code', {}, typeof value === 'string' ? value : JSON.stringify(value)),
  );
}

function describeLimits({characters, items, value, pattern}: Limits): (Node | string)[] {
  return [
    ...(characters ? [messages.characters(rangeText(characters))] : []),
    ...(items ? [messages.items(rangeText(items))] : []),
    ...(value ? [rangeText(value)] : []),
    ...(pattern === undefined ? [] : [element('code', {}, pattern)]),
  ];
}

function rangeText({least, most}: Range): string {
  if (least === undefined) return most === undefined ? '' : messages.most(most);
  if (most === undefined) return messages.least(least);
  return least === most ? String(least) : `${least}–${most}`;
}
