// @ts-check
// Names every schema of the API description, so that no generator of clients has to invent a name. The name says where
// the schema stands, and so stays the same when other schemas change: a body has the name of its operation, and a part of
// a schema the names of the schema and of its field.

/** @typedef {{[key: string]: any}} Schema */

/** @param {string} text */
const capitalized = (text) => text.replace(/(?:^|[^A-Za-z0-9]+)(\w)/g, (_, letter) => letter.toUpperCase());

/** Whether the schema is an object with fields, or a union of objects. @param {Schema} schema */
const isType = ({properties, oneOf, anyOf}) =>
  properties !== undefined ||
  [...(oneOf ?? []), ...(anyOf ?? [])].filter(({$ref, properties: fields}) => $ref ?? fields).length > 1;

/** @param {Schema} option @param {string} field */
const valuesOf = ({properties}, field) => [properties?.[field]?.const ?? properties?.[field]?.enum ?? []].flat();

/** The field whose value says which option of a union a value is. @param {Schema[]} options */
const discriminatorOf = (options) =>
  Object.keys(options[0]?.['properties'] ?? {}).find((field) => {
    const values = options.map((option) => valuesOf(option, field));
    return values.every(({length}) => length > 0) && new Set(values.flat()).size === values.flat().length;
  });

/** The option's title, its value of the discriminator, or a required field that only it has. @param {Schema} option @param {Schema[]} options */
function optionName(option, options) {
  const field = discriminatorOf(options);
  const others = new Set(options.filter((each) => each !== option).flatMap(({properties}) => Object.keys(properties)));
  const own = option['required']?.find((/** @type {string} */ name) => !others.has(name));
  const title = option['title']?.replace(/\ban? /i, '') ?? (field && valuesOf(option, field)[0]);
  return capitalized(title ?? (own ? `with ${own}` : 'plain'));
}

/**
 * Moves each unnamed schema of the bodies, and each part of a schema, to `components`.
 * @param {Schema} document
 */
export function nameSchemas({components, paths}) {
  /** @type {Record<string, Schema>} */
  const named = {};

  /** Names the schema and its parts. @param {Schema} schema @param {string} name @returns {Schema} */
  function refer(schema, name) {
    const whole = nameParts(schema, name);
    if (!isType(whole)) return whole;
    if (named[name] && JSON.stringify(named[name]) !== JSON.stringify(whole))
      throw new Error(`Two different schemas of the API description are named ${name}.`);
    named[name] = whole;
    return {$ref: `#/components/schemas/${name}`};
  }

  /** @param {Schema} schema @param {string} name @returns {Schema} */
  function nameParts(schema, name) {
    const whole = {...schema};
    if (schema['properties'])
      whole['properties'] = Object.fromEntries(
        Object.entries(schema['properties']).map(([field, part]) => [field, refer(part, name + capitalized(field))]),
      );
    if (schema['items']) whole['items'] = refer(schema['items'], name.replace(/s$/, ''));
    for (const union of ['oneOf', 'anyOf']) {
      /** @type {Schema[]} */
      const options = schema[union] ?? [];
      const types = options.filter(({properties}) => properties);
      const parts = options.map((option) =>
        refer(option, types.length > 1 && option['properties'] ? name + optionName(option, types) : name),
      );
      if (parts.length > 0) whole[union] = parts;
      const field = types.length === options.length && union === 'oneOf' && discriminatorOf(types);
      if (!field) continue;
      const mapping = types.flatMap((type, index) =>
        valuesOf(type, field).map((value) => [value, parts[index]?.['$ref']]),
      );
      whole['discriminator'] = {propertyName: field, mapping: Object.fromEntries(mapping)};
    }
    return whole;
  }

  for (const [name, schema] of Object.entries(components.schemas)) named[name] = nameParts(schema, name);
  for (const operation of Object.values(paths).flatMap(Object.values)) {
    const name = capitalized(operation.operationId);
    const answers = Object.values(operation.responses);
    for (const [end, bodies] of Object.entries({Request: [operation.requestBody], Answer: answers}))
      for (const content of bodies.flatMap((body) => Object.values(body?.content ?? {})))
        if (content.schema) content.schema = refer(content.schema, name + end);
  }
  components.schemas = named;
}

/**
 * Adds an `enum` of one value to each `const`, because generators that know only OpenAPI 3.0 do not read `const`.
 * @param {unknown} part - A part of the document, which changes.
 */
export function listConstants(part) {
  if (typeof part !== 'object' || part === null) return;
  const schema = /** @type {Schema} */ (part);
  if (typeof schema['const'] === 'string') schema['enum'] = [schema['const']];
  for (const [name, inner] of Object.entries(schema)) if (!name.startsWith('example')) listConstants(inner);
}
