// @ts-check
// What is wrong with the elements in a page's HTML: what editors, minifiers and sanitizers have made of the snippet.

/** @typedef {import('./page-check.mjs').Finding} Finding */
/** @typedef {import('./tags.mjs').Tag} Tag */

/** Elements without a skeleton and a sentence. */
const INVISIBLE = new Set(['vezne-activity']);
/** The slots of a later state. */
const LATER = new Set(['paid', 'done', 'manage', 'cancelled', 'success']);
/** What ends an open paragraph, or is moved out of an element by tools that write paragraphs. */
const PARAGRAPH = /<\/?p[\s>]/i;
const BLANK_LINE = /\n[^\S\n]*\n/;

/** The first elements, and the first characters of each, are examined. */
const MAX_ELEMENTS = 20;
const MAX_CONTENT_LENGTH = 20_000;

/** @param {string} message @param {string} action @returns {Finding} */
const warning = (message, action) => ({name: 'snippet', state: 'warning', message, action});

/** @param {readonly Tag[]} tags @param {string} html @returns {Finding[]} */
export function findSnippetProblems(tags, html) {
  const first = tags.findIndex(({name}) => name.startsWith('vezne-') && !INVISIBLE.has(name));
  if (first < 0) return [];
  const elements = tags.filter(({name}) => name.startsWith('vezne-')).slice(0, MAX_ELEMENTS);
  return [
    ...elements.flatMap((element) => findContentProblems(element, tags, html)),
    ...findSheetProblems(tags, first),
    ...(elements.some((element) => hasLanguage(element, tags, html))
      ? []
      : [
          warning(
            'The page has no lang, so the browser chooses the language of the elements.',
            'Write <html lang="tr">, or lang="en".',
          ),
        ]),
  ];
}

/** Whether the element, or a tag around it, has a language. @param {Tag} element @param {readonly Tag[]} tags @param {string} html */
function hasLanguage(element, tags, html) {
  return tags
    .filter(({end, attributes}) => end <= element.end && attributes.get('lang'))
    .slice(0, MAX_ELEMENTS)
    .some((tag) => tag === element || isAround(tag, element, html));
}

/** Whether a tag has no end before the element. @param {Tag} tag @param {Tag} element @param {string} html */
function isAround({name, end}, element, html) {
  let depth = 1;
  const sameName = new RegExp(`<(/?)${name.replaceAll(/[^\w-]/g, '.')}[\\s>]`, 'gi');
  for (const [, slash] of html.slice(end, element.end).matchAll(sameName)) {
    depth += slash ? -1 : 1;
    if (depth === 0) return false;
  }
  return true;
}

/** @param {Tag} element @param {readonly Tag[]} tags @param {string} html @returns {Finding[]} */
function findContentProblems({name, end}, tags, html) {
  const rest = html.slice(end, end + MAX_CONTENT_LENGTH);
  const length = rest.search(new RegExp(`</${name.replaceAll(/[^\w-]/g, '.')}[\\s>]`, 'i'));
  if (length < 0)
    return [
      {
        name: 'snippet',
        state: 'failed',
        message: `<${name}> has no end tag, so that what follows it disappears into it.`,
        action: `Write </${name}>.`,
      },
    ];
  const content = rest.slice(0, length);
  const inside = tags.filter((tag) => tag.end > end && tag.end <= end + length);
  return [
    ...(PARAGRAPH.test(content) || BLANK_LINE.test(content)
      ? [
          warning(
            `<${name}> contains a paragraph or a blank line, with which editors and minifiers tear it apart.`,
            'Write <span> in place of <p>, and no blank line (docs/pages.md).',
          ),
        ]
      : []),
    ...inside
      .filter(({attributes}) => LATER.has(attributes.get('slot') ?? '') && !attributes.has('hidden'))
      .map(({attributes}) =>
        warning(
          `What has slot="${attributes.get('slot')}" in <${name}> is not hidden, so that it shows too early.`,
          'Add hidden. A sanitizer may have removed it (docs/pages.md).',
        ),
      ),
  ];
}

/** @param {readonly Tag[]} tags @param {number} first - The first element that shows something. @returns {Finding[]} */
function findSheetProblems(tags, first) {
  const sheet = tags.findIndex(
    ({name, attributes}) => name === 'link' && /(?:^|\/)vezne\.css(?:$|[?#])/.test(attributes.get('href') ?? ''),
  );
  if (sheet >= 0 && sheet < first) return [];
  return [
    sheet < 0
      ? warning(
          'The page has no link of vezne.css in its HTML, so that the elements jump, and links of a later state may flash.',
          'Put the link before the first element, unless the page has the rules in a style sheet of its own.',
        )
      : warning(
          'The link of vezne.css comes after an element, so that the skeleton comes late.',
          'Put it before the first element.',
        ),
  ];
}
