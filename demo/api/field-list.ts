import {element, marked} from './element.ts';
import {messages} from './messages.ts';
import type {Field, Limits, Range, Shape} from './shape.ts';

/** Who sends the value. Required fields are marked only in requests, because an answer always contains them. */
type Sender = 'caller' | 'worker';

/** Lists the fields of a value with their inner fields. A value with several forms gets one titled list per form. */
export function fieldList({fields, forms}: Pick<Shape, 'fields' | 'forms'>, sender: Sender): HTMLElement[] {
  if (forms.length > 0) {
    return forms.flatMap(({title, fields: inner}) => [
      element('p', {class: 'form-title'}, element('code', {}, title)),
      ...fieldList({fields: inner, forms: []}, sender),
    ]);
  }
  return fields.length > 0
    ? [
        element(
          'ul',
          {class: 'fields'},
          fields.map((field) => fieldItem(field, sender)),
        ),
      ]
    : [];
}

function fieldItem({name, required, shape}: Field, sender: Sender): HTMLElement {
  const details = [
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
        ? sender === 'caller' && element('span', {class: 'need'}, messages.required)
        : element('span', {class: 'quiet'}, messages.optional),
    ),
    shape.description !== undefined && element('p', {lang: 'en'}, marked(shape.description)),
    details.length > 0 &&
      element('p', {class: 'quiet'}, ...details.flatMap((part, index) => (index === 0 ? [part] : [' · ', part]))),
    fieldList(shape, sender),
  );
}

function exampleOf(value: unknown): Node {
  return element(
    'span',
    {},
    `${messages.suchAs} `,
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

function rangeText({min, max}: Range): string {
  if (min === undefined) return max === undefined ? '' : messages.atMost(max);
  if (max === undefined) return messages.atLeast(min);
  return min === max ? String(min) : `${min}–${max}`;
}
