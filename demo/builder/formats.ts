/** The snippet as other tools want it. `docs/pages.md` says what each tool does to it. */

import {type Choices, type Format, offerName} from './choices.ts';
import {rowOf} from './elements.ts';
import {elementNode, headNodes, htmlSnippet, lookProperties, type Place, print, scriptAddress} from './snippet.ts';

/** The text of a tab. The tab of the link has an address in place of source code, or nothing. */
export function formatSnippet(format: Format, choices: Choices, place: Place): string {
  switch (format) {
    case 'html':
    case 'wordpress':
    case 'markdown':
      return htmlSnippet(choices, place);
    case 'react':
      return reactComponent(choices, place);
    case 'vue':
      return vueComponent(choices, place);
    case 'gtm':
      return tagManager(choices, place);
    case 'link':
      return linkOf(choices, place);
  }
}

/** The page of an offer. Other elements, and the counter of visits, have no page of their own. */
export function linkOf(choices: Choices, {worker}: Place): string {
  const {source} = rowOf(choices.element);
  const isOffer = source === 'payment' || source === 'subscription';
  if (!isOffer || choices.element === 'vezne-activity') return '';
  return `${worker}/p/${offerName(choices)}${choices.lang && `?lang=${choices.lang}`}`;
}

/** The name of the component: `vezne-bank-list` becomes `BankList`. */
const componentName = ({element}: Choices) =>
  element
    .split('-')
    .slice(1)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

/** The element with `session` and `link` as what the component gets from the server. */
function withProperty(choices: Choices, place: Place, write: (name: string) => string): string {
  return print(elementNode(choices, place)).replace(/(session|link)="[^"]*"/, (_, name: string) => write(name));
}

const propertyOf = (choices: Choices) => {
  const {source} = rowOf(choices.element);
  return source === 'session' || source === 'link' ? source : undefined;
};

function styleObject(choices: Choices): string {
  const properties = lookProperties(choices).map(
    ([name, value]) => `'${name}': '${value.replaceAll("'", String.raw`\'`)}'`,
  );
  return properties.length === 0 ? '' : `{${properties.join(', ')}}`;
}

function reactComponent(choices: Choices, place: Place): string {
  const property = propertyOf(choices);
  const style = styleObject(choices);
  const element = withProperty(choices, place, (name) => `${name}={${name}}`).replace(
    `<${choices.element}`,
    `<${choices.element}${style && ` style={look}`}`,
  );
  return [
    `import {${style && 'type CSSProperties, '}useEffect} from 'react';`,
    "import {loadVezne} from 'vezne';",
    "import type {} from 'vezne/react';",
    '',
    ...(style ? [`const look = ${style} as CSSProperties;`, ''] : []),
    `export function ${componentName(choices)}(${property ? `{${property}}: {${property}: string}` : ''}) {`,
    `  useEffect(() => void loadVezne('${scriptAddress(choices, place.worker)}'), []);`,
    '  return (',
    '    <>',
    `      <link rel="stylesheet" href="${place.worker}/vezne.css" />`,
    `      ${element}`,
    '    </>',
    '  );',
    '}',
  ].join('\n');
}

function vueComponent(choices: Choices, place: Place): string {
  const property = propertyOf(choices);
  const style = styleObject(choices);
  const element = withProperty(choices, place, (name) => `:${name}="${name}"`).replace(
    `<${choices.element}`,
    `<${choices.element}${style && ` :style="look"`}`,
  );
  return [
    '<script setup lang="ts">',
    "import {loadVezne} from 'vezne';",
    "import type {} from 'vezne/vue';",
    "import {onMounted} from 'vue';",
    '',
    ...(property ? [`defineProps<{${property}: string}>();`] : []),
    ...(style ? [`const look = ${style};`] : []),
    `onMounted(() => loadVezne('${scriptAddress(choices, place.worker)}'));`,
    '</script>',
    '',
    '<template>',
    `  <link rel="stylesheet" href="${place.worker}/vezne.css" />`,
    `  ${element}`,
    '</template>',
  ].join('\n');
}

/** A "Custom HTML" tag can add what belongs into the head; the page itself has the element. */
function tagManager(choices: Choices, place: Place): string {
  const lines = headNodes(choices, place).flatMap(({tag, attributes, children}) => [
    `  add('${tag}', ${JSON.stringify({...attributes, ...(children.length > 0 && {textContent: children.join('')})})});`,
  ]);
  return [
    '<script>',
    '(function () {',
    '  function add(tag, properties) {',
    '    document.head.appendChild(Object.assign(document.createElement(tag), properties));',
    '  }',
    ...lines,
    '})();',
    '</script>',
    '',
    print(elementNode(choices, place)),
  ].join('\n');
}
