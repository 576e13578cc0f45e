// @ts-check
// Reads the tags of a page. It reads each character a fixed number of times, whatever the page contains.

/** A start tag, and where it ends in the page. @typedef {{name: string, attributes: Map<string, string>, end: number}} Tag */

const NAME = /[a-z][^\s/>]*/iy;
const BETWEEN = /[\s/]*/y;
const ATTRIBUTE = /=?[^\s/>=]*/y;
const EQUALS = /\s*=\s*/y;
const BARE = /[^\s>]*/y;
const COMMENT_END = /--!?>/g;
/** What follows these tags is text until their end tag. */
const WITH_TEXT = new Map(
  ['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript'].map((name) => [
    name,
    new RegExp(`</${name}(?=[\\s/>])`, 'gi'),
  ]),
);
/** @type {ReadonlyMap<string, string>} */
const ENTITIES = new Map([
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&#39;', "'"],
  ['&#x27;', "'"],
]);

/** The start tags of a page, without those in comments, scripts and other text. @param {string} html @returns {Generator<Tag>} */
export function* tagsOf(html) {
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      at = endOf(COMMENT_END, html, at + 2);
      if (at < 0) return;
      continue;
    }
    const name = take(NAME, html, at + 1).toLowerCase();
    at += 1 + name.length;
    if (name === '') continue;
    /** @type {Map<string, string>} */
    const attributes = new Map();
    for (;;) {
      at += take(BETWEEN, html, at).length;
      if (at >= html.length) return;
      if (html[at] === '>') break;
      const attribute = take(ATTRIBUTE, html, at);
      at += attribute.length;
      const equals = take(EQUALS, html, at);
      at += equals.length;
      let value = '';
      const quote = equals && /^["']/.exec(html[at] ?? '')?.[0];
      if (quote) {
        const end = html.indexOf(quote, at + 1);
        if (end < 0) return;
        value = html.slice(at + 1, end);
        at = end + 1;
      } else if (equals) {
        value = take(BARE, html, at);
        at += value.length;
      }
      // Browsers take the first of two.
      if (!attributes.has(attribute.toLowerCase())) attributes.set(attribute.toLowerCase(), decode(value));
    }
    yield {name, attributes, end: at + 1};
    const textEnd = WITH_TEXT.get(name);
    if (textEnd) at = endOf(textEnd, html, at);
    if (at < 0) return;
  }
}

/** What the sticky expression finds at this place. @param {RegExp} expression @param {string} html @param {number} at */
function take(expression, html, at) {
  expression.lastIndex = at;
  return expression.exec(html)?.[0] ?? '';
}

/** Where the next match ends; -1 if there is none. @param {RegExp} expression @param {string} html @param {number} from */
function endOf(expression, html, from) {
  expression.lastIndex = from;
  return expression.test(html) ? expression.lastIndex : -1;
}

/** @param {string} value */
const decode = (value) =>
  value.replaceAll(/&(?:amp|quot|apos|#39|#x27);/gi, (entity) => ENTITIES.get(entity.toLowerCase()) ?? entity);
