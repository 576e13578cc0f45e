/**
 * Three Vite plugins: one renames Lit's Trusted Types policy, one removes what only older browsers need of Lit, and one
 * minifies Lit's templates and style sheets.
 */

import {minifyHTMLLiterals} from 'minify-literals';
import type {Plugin} from 'vite';

/** The code with which Lit's minified file creates its policy. */
const LIT_POLICY = 'createPolicy("lit-html"';

/**
 * Renames Lit's Trusted Types policy. A page can create a policy with a certain name only once, and only the file that
 * creates the policy can use it. So two files that contain Lit need two policy names. The name `lit-html` stays free
 * for a page's own copy of Lit.
 */
export function trustedTypesPolicy(name: string): Plugin {
  let policyCount = 0;
  return {
    name: 'trusted-types-policy',
    // The modules of a build with two outputs are transformed twice.
    buildStart() {
      policyCount = 0;
    },
    transform(code, id) {
      if (!id.endsWith('/lit-html/lit-html.js')) return null;
      const parts = code.split(LIT_POLICY);
      policyCount += parts.length - 1;
      return {code: parts.join(`createPolicy("${name}"`), map: null};
    },
    buildEnd(error) {
      if (!error && policyCount !== 1)
        this.error(`Expected Lit to create one Trusted Types policy, to be renamed to ${name}; found ${policyCount}.`);
    },
  };
}

/** What Lit's minified files contain for browsers older than those of `docs/support.md`, and what replaces it. */
const FOR_OLDER_BROWSERS: Readonly<Record<string, readonly (readonly [code: string, by: string])[]>> = {
  '/@lit/reactive-element/css-tag.js': [
    [
      't.ShadowRoot&&(void 0===t.ShadyCSS||t.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype',
      'true',
    ],
  ],
  '/@lit/reactive-element/reactive-element.js': [
    ['p=a.reactiveElementPolyfillSupport,', ''],
    ['p?.({ReactiveElement:y}),', ''],
  ],
  '/lit-html/lit-html.js': [[',B=t.litHtmlPolyfillSupport;B?.(S,k),', ';']],
  '/lit-element/lit-element.js': [
    [',s.litElementHydrateSupport?.({LitElement:i});', ';'],
    ['const o=s.litElementPolyfillSupport;o?.({LitElement:i});', ''],
  ],
};

/** Removes from Lit what only older browsers need. */
export function modernLit(): Plugin {
  return {
    name: 'modern-lit',
    transform(code, id) {
      const [, replacements] = Object.entries(FOR_OLDER_BROWSERS).find(([file]) => id.endsWith(file)) ?? [];
      if (!replacements) return null;
      let modern = code;
      for (const [old, by] of replacements) {
        if (!modern.includes(old)) this.error(`Expected Lit to contain ${old}`);
        modern = modern.replace(old, by);
      }
      return {code: modern, map: null};
    },
  };
}

const minified = new Map<string, Promise<string | null>>();

/** A watching build minifies each new version of a module. At this number of stored results, all are deleted. */
const MAX_MINIFIED = 500;

/** Minifies the literals of a module. Several builds contain the same modules, and share the result. */
function minifyModule(code: string, fileName: string): Promise<string | null> {
  const key = `${fileName}\n${code}`;
  const known = minified.get(key);
  if (known) return known;
  if (minified.size >= MAX_MINIFIED) minified.clear();
  const result = minifyHTMLLiterals(code, {
    fileName,
    // Without the closing slash, an SVG element would contain its next sibling.
    html: {keepClosingSlash: true, removeAttributeQuotes: true},
  }).then((output) => output?.code ?? null);
  minified.set(key, result);
  return result;
}

/** Minifies the templates and style sheets in tagged template literals. */
export function minifyLiterals(): Plugin {
  return {
    name: 'minify-literals',
    enforce: 'post',
    async transform(code, id) {
      if (!/\/(?:widgets|desk)\//.test(id) || !/(html|svg|css)`/.test(code)) return null;
      // Two words would become one.
      if (code.includes('html` ')) throw new Error(`${id}: the space at the beginning of a template would be lost.`);
      const result = await minifyModule(code, id);
      return result === null ? null : {code: result, map: null};
    },
  };
}
