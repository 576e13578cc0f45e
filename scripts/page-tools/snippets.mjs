// @ts-check
// Runs what makes, minifies and edits the pages of merchants over each printed snippet, and compares in Chromium what is
// left with what was written.

import {printedSnippets} from '../lib/snippets.mjs';
import {load, packageFile, versionOf} from './tools.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {(html: string) => string | Promise<string>} Tool */

/** A page for the tools that take a whole one. @param {string} snippet */
const wholePage = (snippet) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Lamp</title></head><body><h1>Lamp</h1><p>Before.</p>${snippet}<h2>After</h2><p>Two days.</p></body></html>`;
/** A text for the tools that write the paragraphs. @param {string} snippet */
const inText = (snippet) => `Before.\n\n${snippet}\n\nAfter.\n`;
/** What an editor holds. @param {string} snippet */
const inEditor = (snippet) => `<p>Before.</p>${snippet}<h2>After</h2>`;

/** How rehype spells attributes that HTML itself names. It takes those of other elements as they are written. @type {Record<string, string>} */
const SPELLINGS = {class: 'className', crossorigin: 'crossOrigin', 'data-vezne-track': 'dataVezneTrack'};

/** The tools that run in Node, with the settings that docs/pages.md names. @returns {Promise<Record<string, Tool>>} */
async function nodeTools() {
  const {default: MarkdownIt} = await load('markdown-it');
  const {marked} = await load('marked');
  const {autop} = await load('@wordpress/autop');
  const {default: minifyHtml} = await load('@minify-html/node');
  const {default: terser} = await load('html-minifier-terser');
  const {unified} = await load('unified');
  const [{default: parse}, {default: raw}, {default: sanitize, defaultSchema}, {default: stringify}] =
    await Promise.all(['rehype-parse', 'rehype-raw', 'rehype-sanitize', 'rehype-stringify'].map(load));
  /** What the page admits: the tags and attributes of the snippet. @param {string} html */
  const schema = (html) => {
    const tags = [...html.matchAll(/<([a-z][\w-]*)([^>]*)>/g)];
    const attributes = (/** @type {string} */ name) =>
      tags.flatMap(([, tag, text = '']) =>
        tag === name ? [...text.matchAll(/\s([a-z][\w-]*)/g)].map(([, each = '']) => each) : [],
      );
    const names = [...new Set(tags.map(([, tag = '']) => tag))];
    return {
      ...defaultSchema,
      tagNames: [...(defaultSchema.tagNames ?? []), ...names],
      strip: [],
      clobberPrefix: '',
      protocols: {},
      attributes: Object.fromEntries(
        names.map((name) => [name, attributes(name).map((each) => SPELLINGS[each] ?? each)]),
      ),
    };
  };
  const markdown = new MarkdownIt({html: true});
  const strict = {
    collapseWhitespace: true,
    removeComments: true,
    removeOptionalTags: true,
    removeAttributeQuotes: true,
  };
  return {
    [`markdown-it ${versionOf('markdown-it')}, html: true`]: (html) => markdown.render(inText(html)),
    [`marked ${versionOf('marked')}`]: (html) => marked.parse(inText(html)),
    [`wpautop (@wordpress/autop ${versionOf('@wordpress/autop')})`]: (html) => autop(inText(html)),
    [`@minify-html/node ${versionOf('@minify-html/node')}`]: (html) =>
      minifyHtml.minify(Buffer.from(wholePage(html)), {}).toString(),
    [`rehype-sanitize ${versionOf('rehype-sanitize')} after rehype-raw ${versionOf('rehype-raw')}, tagNames, attributes`]:
      async (html) =>
        String(
          await unified()
            .use(parse, {fragment: true})
            .use(raw)
            .use(sanitize, schema(inEditor(html)))
            .use(stringify)
            .process(inEditor(html)),
        ),
    [`html-minifier-terser ${versionOf('html-minifier-terser')}`]: (html) => terser.minify(wholePage(html)),
    [`html-minifier-terser ${versionOf('html-minifier-terser')}, ${Object.keys(strict).join(', ')}`]: (html) =>
      terser.minify(wholePage(html), strict),
  };
}

/** The editors, which run in the browser, with the settings that docs/pages.md names. @param {Page} page @returns {Promise<Record<string, Tool>>} */
async function editors(page) {
  await page.setContent(
    '<!doctype html><title>Editor</title><div id="grapes"></div><textarea id="tiny"></textarea><div id="ck"></div>',
  );
  for (const file of [
    'grapesjs/dist/grapes.min.js',
    'tinymce/tinymce.min.js',
    'tinymce/themes/silver/theme.min.js',
    'tinymce/models/dom/model.min.js',
    'tinymce/icons/default/icons.min.js',
    'ckeditor5/dist/browser/ckeditor5.umd.js',
  ])
    await page.addScriptTag({path: packageFile(file)});
  return {
    [`GrapesJS ${versionOf('grapesjs')}, allowScripts`]: (html) =>
      page.evaluate((components) => {
        const {grapesjs} = /** @type {any} */ (window);
        const editor = grapesjs.init({
          container: '#grapes',
          headless: true,
          storageManager: false,
          telemetry: false,
          parser: {optionsHtml: {allowScripts: true}},
        });
        editor.setComponents(components);
        const made = editor.getHtml();
        editor.destroy();
        return made;
      }, inEditor(html)),
    [`TinyMCE ${versionOf('tinymce')}, custom_elements, extended_valid_elements, valid_children, convert_urls: false`]:
      (html) =>
        page.evaluate(async (content) => {
          const {tinymce} = /** @type {any} */ (window);
          const tags = [...new Set(content.match(/(?<=<)vezne-[\w-]+/g))];
          const [editor] = await tinymce.init({
            selector: '#tiny',
            license_key: 'gpl',
            skin: false,
            content_css: false,
            promotion: false,
            custom_elements: tags.join(','),
            extended_valid_elements: [...tags, 'link', 'script', 'span', 'strong', 'a', 'button']
              .map((tag) => `${tag}[*]`)
              .join(','),
            valid_children: '+body[link|script]',
            convert_urls: false,
          });
          editor.setContent(content);
          const made = editor.getContent();
          editor.remove();
          return made;
        }, inEditor(html)),
    [`CKEditor 5 ${versionOf('ckeditor5')}, htmlSupport`]: (html) =>
      page.evaluate(async (content) => {
        const {ClassicEditor, Essentials, Paragraph, Heading, GeneralHtmlSupport} = /** @type {any} */ (window)
          .CKEDITOR;
        const all = {name: /.*/, attributes: true, classes: true, styles: true};
        const editor = await ClassicEditor.create(document.querySelector('#ck'), {
          licenseKey: 'GPL',
          plugins: [Essentials, Paragraph, Heading, GeneralHtmlSupport],
          htmlSupport: {allow: [all]},
        });
        editor.setData(content);
        const made = editor.getData();
        await editor.destroy();
        return made;
      }, inEditor(html)),
  };
}

/**
 * What a browser makes of HTML before a script runs: each of our elements with all that is in it, and the tags of files.
 * Runs in the browser.
 * @param {string} html
 */
function readPage(html) {
  const {body, head} = new DOMParser().parseFromString(html, 'text/html');
  /** @param {Element} element @returns {unknown} */
  const describe = (element) => ({
    tag: element.localName,
    attributes: Object.fromEntries([...element.attributes].map(({name, value}) => [name, value]).toSorted()),
    content: [...element.childNodes].flatMap((node) => {
      if (node instanceof Element) return node.localName === 'br' ? [] : [describe(node)];
      return node.textContent?.trim() ? [node.textContent.trim()] : [];
    }),
  });
  const find = (/** @type {string} */ selector) =>
    [head, body].flatMap((part) => Array.from(part.querySelectorAll(selector)));
  return {
    elements: find('*')
      .filter(({localName}) => localName.startsWith('vezne-'))
      .map(describe),
    scripts: find('script').map(describe),
    sheets: find('link[rel=stylesheet]').map((link) => link.getAttribute('href')),
    tracked: find('[data-vezne-track]').map(describe),
  };
}

/**
 * Runs each tool over each snippet.
 * @param {Page} page
 * @param {import('../page-tools.mjs').Report} report
 * @returns {Promise<{tool: string, snippet: string, html: string}[]>} What the tools have made of the snippets.
 */
export async function checkSnippets(page, report) {
  const snippets = printedSnippets();
  const made = [];
  for (const [tool, run] of Object.entries({...(await nodeTools()), ...(await editors(page))})) {
    const broken = [];
    for (const {file, html: snippet} of snippets) {
      const html = await run(snippet);
      const [written, left] = [await page.evaluate(readPage, snippet), await page.evaluate(readPage, html)];
      if (JSON.stringify(written) === JSON.stringify(left)) made.push({tool, snippet, html});
      else broken.push(`${file}:\n${snippet}\n  ${JSON.stringify(written)}\n  ${JSON.stringify(left)}`);
    }
    report(`${tool}: ${snippets.length - broken.length} of ${snippets.length} snippets whole`, broken.length === 0);
    for (const each of broken) console.log(each);
  }
  return made;
}

/** A snippet with all its lines, which works without a server of the merchant. @param {string} snippet */
export const isComplete = (snippet) => /\.css"[^]*\.js[?"][^]* offer="/.test(snippet);
