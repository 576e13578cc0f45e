/** Lit as it is published, but for the name of its Trusted Types policy. */

import {minifyHTMLLiterals} from 'minify-literals';
import type {Plugin} from 'vite';

/** How Lit's minified file makes its policy. */
const LIT_POLICY = 'createPolicy("lit-html"';

/**
 * Gives Lit's Trusted Types policy another name. A page allows a name once, and the policy stays closed inside the file
 * that makes it: two files with a Lit of their own need two names, and a page's own Lit keeps `lit-html`.
 */
export function trustedTypesPolicy(name: string): Plugin {
  let found = 0;
  return {
    name: 'trusted-types-policy',
    transform(code, id) {
      if (!id.endsWith('/lit-html/lit-html.js')) return null;
      const parts = code.split(LIT_POLICY);
      found += parts.length - 1;
      return {code: parts.join(`createPolicy("${name}"`), map: null};
    },
    buildEnd(error) {
      if (!error && found !== 1)
        this.error(`Lit must make one Trusted Types policy; ${found} were found, so none can be named ${name}.`);
    },
  };
}

/** Removes the layout from the templates and style sheets that are written as literals. */
export function minifyLiterals(): Plugin {
  return {
    name: 'minify-literals',
    enforce: 'post',
    async transform(code, id) {
      if (!id.includes('/widgets/') || !/(html|svg|css)`/.test(code)) return null;
      const result = await minifyHTMLLiterals(code, {
        fileName: id,
        // Without its slash an SVG element would contain the next one.
        html: {keepClosingSlash: true, removeAttributeQuotes: true},
      });
      return result && {code: result.code, map: null};
    },
  };
}
