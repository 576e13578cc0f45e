/** Lit as it is published, but for the name of its Trusted Types policy. */

import {minifyHTMLLiterals} from 'minify-literals';
import type {Plugin} from 'vite';

/**
 * Lit makes a Trusted Types policy named `lit-html`; a page would have to allow a name it has never heard of. Ours
 * says whose it is, and a page's own copy of Lit keeps its own. Where elements of two kinds come to a page, each with a
 * Lit of its own, they share it: a page allows a name once.
 */
export function nameTrustedTypesPolicy(): Plugin {
  let renamed = false;
  return {
    name: 'name-trusted-types-policy',
    transform(code, id) {
      if (!id.endsWith('/lit-html/lit-html.js')) return null;
      const ours = code.replace(/(\w+)\.createPolicy\("lit-html"/, '$1.vezne??=$1.createPolicy("vezne"');
      renamed = ours !== code;
      return {code: ours, map: null};
    },
    buildEnd(error) {
      if (!error && !renamed) this.error('The Trusted Types policy of Lit was not found, so it is not named `vezne`.');
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
