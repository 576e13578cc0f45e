/** Shows one operation of the API: its fields, its answer, its errors and a form to try it. */

import type {Answer, ApiDocument, Operation} from './document.ts';
import {element, marked} from './element.ts';
import {messages} from './messages.ts';
import {type Field, type Limits, type Range, type Shape, shapeOf} from './shape.ts';
import {type Credentials, block, TryForm} from './try-form.ts';

/**
 * Creates the card of an operation: a line that opens to show fields, answer, errors and a form to try the operation.
 */
export function operationCard(
  operation: Operation,
  document: ApiDocument,
  credentials: Credentials,
): HTMLDetailsElement {
  const {id, method, path, summary} = operation;
  const content = element('div', {class: 'operation-body'});
  const card = element(
    'details',
    {id, class: 'operation'},
    element(
      'summary',
      {},
      element(
        'h3',
        {},
        element('span', {class: `method ${method.toLowerCase()}`}, method),
        ' ',
        element('code', {}, ...breakable(path)),
      ),
      element('span', {class: 'summary', lang: 'en'}, marked(summary)),
    ),
    content,
  );
  // Fill a card only when it opens: about fifty unused forms would slow the page down.
  card.addEventListener('toggle', () => {
    if (card.open && content.childElementCount === 0) content.append(...describe(operation, document, credentials));
  });
  return card;
}

function describe(operation: Operation, document: ApiDocument, credentials: Credentials): HTMLElement[] {
  const {access, description, write, answers} = operation;
  const input = inputOf(operation, document);
  const [success] = answers;
  const errors = answers.filter(({status}) => status >= 400);
  return [
    ...(description === undefined ? [] : [element('p', {lang: 'en'}, marked(description))]),
    element(
      'p',
      {class: 'quiet'},
      messages.access[access],
      write ? ' · ' : '',
      write ? element('code', {}, messages.key) : '',
    ),
    element(
      'div',
      {class: 'sides'},
      element(
        'div',
        {},
        element('h4', {}, messages.fields),
        ...fieldsOrNotice(input),
        ...answerPart(success, document),
      ),
      tryPart(operation, credentials),
    ),
    element(
      'details',
      {class: 'errors'},
      element('summary', {}, messages.errors(countCodes(errors))),
      element('dl', {}, errors.flatMap(errorRow)),
    ),
  ];
}

function tryPart(operation: Operation, credentials: Credentials): HTMLElement {
  const isSocket = operation.answers.some(({status}) => status === 101);
  return element(
    'div',
    {},
    isSocket ? element('p', {class: 'quiet'}, messages.socket) : new TryForm(operation, credentials).element,
  );
}

/** Returns the parameters of the URL, then the fields of the body. A body with several variants is returned alone. */
function inputOf({parameters, body}: Operation, document: ApiDocument): Pick<Shape, 'fields' | 'variants'> {
  const parameterFields = parameters.map(({name, required = false, description, schema}) => {
    const shape = shapeOf(schema, document);
    return {name, required, shape: {...shape, description: shape.description ?? description}};
  });
  const bodyShape = body?.schema ? shapeOf(body.schema, document) : {fields: [], variants: []};
  return bodyShape.variants.length > 0 ? bodyShape : {fields: [...parameterFields, ...bodyShape.fields], variants: []};
}

function fieldsOrNotice(shape: Pick<Shape, 'fields' | 'variants'>): HTMLElement[] {
  const list = fieldList(shape, 'caller');
  return list.length > 0 ? list : [element('p', {class: 'quiet'}, messages.noFields)];
}

function answerPart(success: Answer | undefined, document: ApiDocument): HTMLElement[] {
  if (!success?.media?.schema) return [];
  const {schema, example} = success.media;
  return [
    element('h4', {}, `${messages.answer} ${success.status}`),
    ...fieldList(shapeOf(schema, document), 'worker'),
    ...(example === undefined ? [] : [block(messages.example, JSON.stringify(example, null, 2))]),
  ];
}

function errorRow({status, description}: Answer): HTMLElement[] {
  return [
    element('dt', {}, String(status)),
    ...description.split('\n\n').map((text) => element('dd', {lang: 'en'}, marked(text))),
  ];
}

const countCodes = (errors: readonly Answer[]) =>
  errors.reduce((count, {description}) => count + description.split('\n\n').length, 0);

/** Allows a line break after each segment of a path. */
function breakable(path: string): Node[] {
  return path.split(/(?<=.\/)/).flatMap((segment) => [document.createTextNode(segment), element('wbr')]);
}

/**
 * The sender of a value. Required fields are marked only in requests, because an answer always contains its required
 * fields.
 */
type Sender = 'caller' | 'worker';

/** Lists the fields of a value with their inner fields. If a value has variants, each variant gets a titled list. */
function fieldList({fields, variants}: Pick<Shape, 'fields' | 'variants'>, sender: Sender): HTMLElement[] {
  if (variants.length > 0) {
    return variants.flatMap(({title, fields: inner}) => [
      element('p', {class: 'form-title'}, element('code', {}, title)),
      ...fieldList({fields: inner, variants: []}, sender),
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
