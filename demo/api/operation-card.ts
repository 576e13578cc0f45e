import type {Answer, ApiDocument, Operation} from './document.ts';
import {element, marked} from './element.ts';
import {fieldList} from './field-list.ts';
import {messages} from './messages.ts';
import {type Shape, shapeOf} from './shape.ts';
import {type Credentials, block, TryForm} from './try-form.ts';

/** One operation: a line that opens into its fields, its answer, its errors and a form to try it. */
export function operationCard(operation: Operation, document: ApiDocument, bearer: Credentials): HTMLDetailsElement {
  const {id, method, path, summary} = operation;
  const inside = element('div', {class: 'operation-body'});
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
      element('span', {class: 'summary', lang: 'en'}, summary),
    ),
    inside,
  );
  // Fifty forms that nobody opens would only make the page slow.
  card.addEventListener('toggle', () => {
    if (card.open && inside.childElementCount === 0) inside.append(...describe(operation, document, bearer));
  });
  return card;
}

function describe(operation: Operation, document: ApiDocument, bearer: Credentials): HTMLElement[] {
  const {access, description, write, answers} = operation;
  const input = inputOf(operation, document);
  const [good] = answers;
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
      element('div', {}, element('h4', {}, messages.fields), ...listed(input), ...answerPart(good, document)),
      tryPart(operation, bearer),
    ),
    element(
      'details',
      {class: 'errors'},
      element('summary', {}, messages.errors(countCodes(errors))),
      element('dl', {}, errors.flatMap(errorRow)),
    ),
  ];
}

function tryPart(operation: Operation, bearer: Credentials): HTMLElement {
  const isSocket = operation.answers.some(({status}) => status === 101);
  return element(
    'div',
    {},
    isSocket ? element('p', {class: 'quiet'}, messages.socket) : new TryForm(operation, bearer).element,
  );
}

/** Fields of the address first, then those of the body. */
function inputOf({parameters, body}: Operation, document: ApiDocument): Pick<Shape, 'fields' | 'forms'> {
  const inAddress = parameters.map(({name, required = false, description, schema}) => {
    const shape = shapeOf(schema, document);
    return {name, required, shape: {...shape, description: shape.description ?? description}};
  });
  const inBody = body?.schema ? shapeOf(body.schema, document) : {fields: [], forms: []};
  return inBody.forms.length > 0 ? inBody : {fields: [...inAddress, ...inBody.fields], forms: []};
}

function listed(shape: Pick<Shape, 'fields' | 'forms'>): HTMLElement[] {
  const list = fieldList(shape, 'caller');
  return list.length > 0 ? list : [element('p', {class: 'quiet'}, messages.noFields)];
}

function answerPart(good: Answer | undefined, document: ApiDocument): HTMLElement[] {
  if (!good?.media?.schema) return [];
  const {schema, example} = good.media;
  return [
    element('h4', {}, `${messages.answer} ${good.status}`),
    ...fieldList(shapeOf(schema, document), 'worker'),
    ...(example === undefined ? [] : [block(messages.example, JSON.stringify(example, null, 2))]),
  ];
}

function errorRow({status, description}: Answer): HTMLElement[] {
  return [
    element('dt', {}, String(status)),
    ...description.split('\n\n').map((said) => element('dd', {lang: 'en'}, marked(said))),
  ];
}

const countCodes = (errors: readonly Answer[]) =>
  errors.reduce((count, {description}) => count + description.split('\n\n').length, 0);

/** A path may break after each of its segments. */
function breakable(path: string): Node[] {
  return path.split(/(?<=.\/)/).flatMap((segment) => [document.createTextNode(segment), element('wbr')]);
}
