/** Lit as our elements need it, and nothing of it beyond. */

import {minifyHTMLLiterals} from 'minify-literals';
import type {Plugin} from 'vite';
import {cutLit} from './lit-cuts.ts';

export const leanLit = (): Plugin[] => [
  leanCssTag(),
  leanDecorate(),
  lessLit(),
  quietLit(),
  nameTrustedTypesPolicy(),
  minifyLiterals(),
];

/** Takes the layout out of the templates and style sheets written as literals. */
function minifyLiterals(): Plugin {
  return {
    name: 'minify-literals',
    enforce: 'post',
    async transform(code, id) {
      if (!id.includes('/widgets/') || !/(html|svg|css)`/.test(code)) return null;
      const result = await minifyHTMLLiterals(code, {
        fileName: id,
        // Marks of an SVG's own: without their slash the next would become their child.
        html: {keepClosingSlash: true, removeAttributeQuotes: true},
      });
      return result && {code: result.code, map: null};
    },
  };
}

/**
 * Lit makes a Trusted Types policy named `lit-html`; a page would have to allow a name it has never heard of. Ours
 * says whose it is, and a page's own copy of Lit keeps its own. Where elements of two kinds come to a page, each with a
 * Lit of its own, they share it: a page allows a name once.
 */
function nameTrustedTypesPolicy(): Plugin {
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

/**
 * Style sheets as Lit makes them, less what a page here never needs: the way by `<style>` tags, which a strict policy
 * refuses. Every browser with form-associated elements adopts style sheets.
 */
function leanCssTag(): Plugin {
  let replaced = false;
  return {
    name: 'lean-css-tag',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('/@lit/reactive-element/css-tag.js')) return null;
      replaced = true;
      return `
        export const supportsAdoptingStyleSheets = true;
        export class CSSResult {
          constructor(cssText) { this.cssText = cssText; }
          get styleSheet() {
            if (!this.sheet) (this.sheet = new CSSStyleSheet()).replaceSync(this.cssText);
            return this.sheet;
          }
          toString() { return this.cssText; }
        }
        export const unsafeCSS = (text) => new CSSResult(text);
        export const css = (strings, ...values) => new CSSResult(String.raw({raw: strings}, ...values));
        export const adoptStyles = (root, styles) => { root.adoptedStyleSheets = styles.map((style) => style.styleSheet ?? style); };
        export const getCompatibleStyle = (style) => style;`;
    },
    buildEnd(error) {
      if (!error && !replaced) this.error('The css tag of Lit was not found, so it is not replaced by ours.');
    },
  };
}

/**
 * Lit less what it keeps for others: a list of the versions on the page, by which a page's own Lit would warn of ours, and
 * calls of polyfills that no browser here needs.
 */
function quietLit(): Plugin {
  const left = new Set(['lit-html', 'reactive-element', 'lit-element']);
  return {
    name: 'quiet-lit',
    transform(code, id) {
      const [, name = ''] = /\/(lit-html|reactive-element|lit-element)\.js$/.exec(id) ?? [];
      if (!name) return null;
      const quiet = code
        .replace(/,?\(\w+\.\w+Versions\?\?=\[\]\)\.push\("[\d.]+"\)/, '')
        .replace(/(const \w+=|,\w+=)\w+\.\w+PolyfillSupport(?=[,;])/, '')
        .replace(/[,;]\w+\?\.\((\{ReactiveElement:\w+\}|\{LitElement:\w+\}|\w+,\w+)\)/, '')
        .replace(/,?\w+\.litElementHydrateSupport\?\.\(\{LitElement:\w+\}\)/, '');
      if (!/Versions|Support\b/.test(quiet)) left.delete(name);
      return {code: quiet, map: null};
    },
    buildEnd(error) {
      if (!error && left.size > 0)
        this.error(`${[...left].join()} kept what Lit has for others: its code is not as it was.`);
    },
  };
}

/** Lit less what none of our elements uses, which a page would load for nothing. What would need it does not build. */
function lessLit(): Plugin {
  return {
    name: 'less-lit',
    resolveId(source) {
      if (source.startsWith('lit/'))
        this.error(`${source} may need what is cut out of Lit (scripts/build/lit-cuts.ts).`);
      return null;
    },
    transform(code, id) {
      const cut = cutLit(id, code);
      return cut === undefined ? null : {code: cut, map: null};
    },
  };
}

/** The compiler's helper for decorators, less what only decorators of methods and classes need: ours are of fields. */
function leanDecorate(): Plugin {
  return {
    name: 'lean-decorate',
    transform(_code, id) {
      if (!/oxc-project.runtime.*decorate\.js$/.test(id)) return null;
      return {
        code: 'export default (decorators, target, key) => decorators.forEach((decorate) => decorate(target, key));',
        map: null,
      };
    },
  };
}
