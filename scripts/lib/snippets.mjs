// @ts-check
// Finds every snippet of HTML that people copy into a page: in the documents, in the demo, in the examples, and in what
// the commands print. A new snippet is found without a change here.

import {readdirSync, readFileSync} from 'node:fs';
import {readChoices} from '../../demo/builder/choices.ts';
import {htmlSnippet} from '../../demo/builder/snippet.ts';
import {repoPath} from './repo.mjs';

/** @typedef {{file: string, html: string}} Snippet */

const FOLDERS = ['.', 'cli', 'create', 'demo', 'docs', 'examples', 'merchant'];
const TEXT = /\.(?:html|md|mjs|php|tsx|vue)$/;

/** @param {string} folder @returns {string[]} */
const filesBelow = (folder) =>
  readdirSync(repoPath(folder), {withFileTypes: true}).flatMap((entry) => {
    const file = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return folder === '.' || /^(?:\.|node_modules$|dist$)/.test(entry.name) ? [] : filesBelow(file);
    return TEXT.test(file) && file !== 'CHANGELOG.md' ? [file] : [];
  });

/** All files that may contain a snippet. */
export const snippetFiles = () => FOLDERS.flatMap(filesBelow);

/** @param {string} file */
const read = (file) => readFileSync(repoPath(file), 'utf8');

/** @param {string} html */
const decode = (html) => html.replaceAll('&lt;', '<').replaceAll('&gt;', '>');

/** Every element in a file, also where the file shows it as text. @returns {Snippet[]} */
export const writtenElements = () =>
  snippetFiles().flatMap((file) =>
    [...decode(read(file)).matchAll(/<(vezne-[\w-]*)(?=[\s>])[^]*?<\/\1>/g)].map(([html]) => ({
      file,
      html,
    })),
  );

/** What a template is filled with. */
const FILLINGS = /** @type {const} */ ([
  [/\{\{worker\}\}|\$\{(?:url|location\.origin)\}|<\?= \$url \?>/g, 'https://pay.example.com'],
  [/\{\{(?:session|token)\}\}|\$\{token\}|<\?=.*?\?>/g, 'eyJhbGciOiJIUzI1NiIs…'],
  [/\{\{\w+\}\}/g, 'Call us: 0850 000 00 00.'],
]);

/** @param {string} html */
const fill = (html) => FILLINGS.reduce((filled, [what, by]) => filled.replaceAll(what, by), html);

/** Where the files of a kind show snippets as text. @type {[RegExp, (text: string) => string[]][]} */
const SHOWN = [
  [/\.md$/, (text) => [...text.matchAll(/^```html\n([^]*?)^```/gm)].map(([, html = '']) => html.trim())],
  [
    /^examples\/.*\.(?:html|mjs|php)$/,
    (text) =>
      [...text.matchAll(/<(?:link rel="stylesheet"|script type="module")[^]*?<\/(?:vezne-[\w-]+)>/g)].map(
        ([html]) => html,
      ),
  ],
];

/** The snippets as people copy them, from each place. @returns {Snippet[]} */
export const shownSnippets = () =>
  snippetFiles()
    .flatMap((file) =>
      SHOWN.filter(([files]) => files.test(file)).flatMap(([, find]) =>
        find(read(file)).map((html) => ({file, html: fill(html)})),
      ),
    )
    .filter(({html}) => html.includes('<vezne-'))
    .concat({file: 'demo/builder/snippet.ts', html: builderSnippet()});

/** The lines that the builder shows first. */
function builderSnippet() {
  const offers = {lamp: {kind: /** @type {const} */ ('payment'), title: {tr: 'Lamba', en: 'Lamp'}}};
  const place = {worker: 'https://pay.example.com', platform: '', language: 'en'};
  return htmlSnippet(readChoices(new URLSearchParams(), offers), place);
}

/** One of the snippets for each text. @returns {Snippet[]} */
export function printedSnippets() {
  const all = shownSnippets();
  return all.filter(({html}, index) => all.findIndex((other) => other.html === html) === index);
}
