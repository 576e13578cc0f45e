/**
 * What is cut out of Lit's minified files, by its exact text: our templates know no directives, no parts in tags, comments or raw text,
 * and no MathML; our properties are text or flags, are not reflected, and have no accessors of their own (`core/property.ts`).
 */

/** What stands in Lit's file, and what stands there instead. */
type Cut = readonly [theirs: string, ours: string];

const REACTIVE_ELEMENT: readonly Cut[] = [
  // Converters: text stays text.
  [',c=a.trustedTypes,l=c?c.emptyScript:""', ''],
  [
    'u={toAttribute(t,s){switch(s){case Boolean:t=t?l:null;break;case Object:case Array:t=null==t?t:JSON.stringify(t)}return t},' +
      'fromAttribute(t,s){let i=t;switch(s){case Boolean:i=null!==t;break;case Number:i=null===t?null:Number(t);break;case Object:case Array:try{i=JSON.parse(t)}catch(t){i=null}}return i}}',
    'u=(t,s)=>s?null!==t:t',
  ],
  ['b={attribute:!0,type:String,converter:u,reflect:!1,useDefault:!1,hasChanged:f}', 'b={}'],
  [
    '_$AK(t,s){const i=this.constructor,e=i._$Eh.get(t);if(void 0!==e&&this._$Em!==e){const t=i.getPropertyOptions(e),' +
      'h="function"==typeof t.converter?{fromAttribute:t.converter}:void 0!==t.converter?.fromAttribute?t.converter:u;' +
      'this._$Em=e;const r=h.fromAttribute(s,t.type);this[e]=r??this._$Ej?.get(e)??r,this._$Em=null}}',
    '_$AK(t,s){const i=this.constructor,e=i._$Eh.get(t);void 0!==e&&(this[e]=u(s,i.elementProperties.get(e).type))}',
  ],
  // Decorators of the standard kind, and initializers.
  ['Symbol.metadata??=Symbol("metadata"),a.litPropertyMetadata??=new WeakMap;', ''],
  [
    'const t=this[Symbol.metadata];if(null!==t){const s=litPropertyMetadata.get(t);if(void 0!==s)for(const[t,i]of s)this.elementProperties.set(t,i)}',
    '',
  ],
  ['static addInitializer(t){this._$Ei(),(this.l??=[]).push(t)}', ''],
  [',void 0!==t.l&&(this.l=[...t.l])', ''],
  [',this.constructor.l?.forEach(t=>t(this))', ''],
  [
    'if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(d("properties"))){const t=this.properties,s=[...r(t),...o(t)];for(const i of s)this.createProperty(i,t[i])}',
    'this.finalized=!0,this._$Ei();',
  ],
  // Accessors of a class's own.
  [
    'if(s.state&&(s.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(t)&&((s=Object.create(s)).wrapped=!0),this.elementProperties.set(t,s),' +
      '!s.noAccessor){const i=Symbol(),h=this.getPropertyDescriptor(t,i,s);void 0!==h&&e(this.prototype,t,h)}',
    'this._$Ei(),this.elementProperties.set(t,s);const i=Symbol();e(this.prototype,t,{get(){return this[i]},set(s){const e=this[i];this[i]=s,this.requestUpdate(t,e)}})',
  ],
  [
    'static getPropertyDescriptor(t,s,i){const{get:e,set:r}=h(this.prototype,t)??{get(){return this[s]},set(t){this[s]=t}};' +
      'return{get:e,set(s){const h=e?.call(this);r?.call(this,s),this.requestUpdate(t,h,i)},configurable:!0,enumerable:!0}}' +
      'static getPropertyOptions(t){return this.elementProperties.get(t)??b}',
    '',
  ],
  [
    'const t=this.constructor.elementProperties;if(t.size>0)for(const[s,i]of t){const{wrapped:t}=i,e=this[s];!0!==t||this._$AL.has(s)||void 0===e||this.C(s,void 0,i,e)}',
    '',
  ],
  // Reflection, defaults, and other ways to tell a change.
  [
    '_$ET(t,s){const i=this.constructor.elementProperties.get(t),e=this.constructor._$Eu(t,i);if(void 0!==e&&!0===i.reflect)' +
      '{const h=(void 0!==i.converter?.toAttribute?i.converter:u).toAttribute(s,i.type);this._$Em=t,null==h?this.removeAttribute(e):this.setAttribute(e,h),this._$Em=null}}',
    '',
  ],
  ['this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),', ''],
  [',this._$Em=null', ''],
  [
    'requestUpdate(t,s,i,e=!1,h){if(void 0!==t){const r=this.constructor;if(!1===e&&(h=this[t]),i??=r.getPropertyOptions(t),' +
      '!((i.hasChanged??f)(h,s)||i.useDefault&&i.reflect&&h===this._$Ej?.get(t)&&!this.hasAttribute(r._$Eu(t,i))))return;this.C(t,s,i)}',
    'requestUpdate(t,s){if(void 0!==t){if(!f(this[t],s))return;this._$AL.has(t)||this._$AL.set(t,this.hasUpdated?s:void 0)}',
  ],
  [
    'C(t,s,{useDefault:i,reflect:e,wrapped:h},r){i&&!(this._$Ej??=new Map).has(t)&&(this._$Ej.set(t,r??s??this[t]),!0!==h||void 0!==r)||' +
      '(this._$AL.has(t)||(this.hasUpdated||i||(s=void 0),this._$AL.set(t,s)),!0===e&&this._$Em!==t&&(this._$Eq??=new Set).add(t))}',
    '',
  ],
  // Ways in that nobody here takes.
  ['removeController(t){this._$EO?.delete(t)}', ''],
  [
    'const t=this.scheduleUpdate();return null!=t&&await t,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}',
    'return this.performUpdate(),!this.isUpdatePending}',
  ],
  [
    't=this.shouldUpdate(s),t?(this.willUpdate(s),this._$EO?.forEach(t=>t.hostUpdate?.()),this.update(s)):this._$EM()',
    't=!0,this.willUpdate(s),this._$EO?.forEach(t=>t.hostUpdate?.()),this.update(s)',
  ],
  [
    'return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(t){return!0}',
    'return this._$ES}',
  ],
  [',this.firstUpdated(t)', ''],
  ['firstUpdated(t){}', ''],
];

const LIT_HTML: readonly Cut[] = [
  // Directives, and being told of connection.
  [
    'function M(t,i,s=t,e){if(i===E)return i;let h=void 0!==e?s._$Co?.[e]:s._$Cl;const o=a(i)?void 0:i._$litDirective$;' +
      'return h?.constructor!==o&&(h?._$AO?.(!1),void 0===o?h=void 0:(h=new o(t),h._$AT(t,s,e)),void 0!==e?(s._$Co??=[])[e]=h:s._$Cl=h),' +
      'void 0!==h&&(i=M(t,h._$AS(t,i.values),h,e)),i}',
    'const M=0;',
  ],
  [
    'this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=i}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}',
    'this._$AV=[],this._$AD=t}',
  ],
  ['(t?.creationScope??l).importNode', 'l.importNode'],
  ['get _$AU(){return this._$AM?._$AU??this._$Cv}', ''],
  [
    'this._$AH=A,this._$AN=void 0,this._$AA=t,this._$AB=i,this._$AM=s,this.options=e,this._$Cv=e?.isConnected??!0}get parentNode(){let t=this._$AA.parentNode;' +
      'const i=this._$AM;return void 0!==i&&11===t?.nodeType&&(t=i.parentNode),t}get startNode(){return this._$AA}get endNode(){return this._$AB}',
    'this._$AH=A,this._$AA=t,this._$AB=i,this.options=e}',
  ],
  ['_$AI(t,i=this){t=M(this,t,i),a(t)?', '_$AI(t){a(t)?'],
  ['t!==this._$AH&&t!==E&&this._(t)', 't!==this._$AH&&this._(t)'],
  [
    '_$AR(t=this._$AA.nextSibling,s){for(this._$AP?.(!1,!0,s);t!==this._$AB;)',
    '_$AR(t=this._$AA.nextSibling){for(;t!==this._$AB;)',
  ],
  ['setConnected(t){void 0===this._$AM&&(this._$Cv=t,this._$AP?.(t))}', ''],
  ['get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}', ''],
  [
    'this._$AH=A,this._$AN=void 0,this.element=t,this.name=i,this._$AM=e,this.options=h',
    'this._$AH=A,this.element=t,this.name=i,this.options=h',
  ],
  [
    '_$AI(t,i=this,s,e){const h=this.strings;let o=!1;if(void 0===h)t=M(this,t,i,0),o=!a(t)||t!==this._$AH&&t!==E,o&&(this._$AH=t);',
    '_$AI(t,i,s){const h=this.strings;let o=!1;if(void 0===h)o=!a(t)||t!==this._$AH,o&&(this._$AH=t);',
  ],
  ['r=M(this,e[s+n],i,n),r===E&&(r=this._$AH[n]),o||=', 'r=e[s+n],o||='],
  ['}o&&!e&&this.j(t)}', '}o&&this.j(t)}'],
  ['_$AI(t,i=this){if((t=M(this,t,i,0)??A)===E)return;const s=', '_$AI(t){t??=A;const s='],
  // Parts that are a whole tag, or stand in comments and raw text.
  [
    'class Z{constructor(t,i,s){this.element=t,this.type=6,this._$AN=void 0,this._$AM=i,this.options=s}get _$AU(){return this._$AM._$AU}_$AI(t){M(this,t)}}',
    'const Z=0;',
  ],
  [':6===r.type&&(i=new Z(h,this,t))', ':0'],
  ['else t.startsWith(o)&&(d.push({type:6,index:l}),r.removeAttribute(t));', ''],
  [
    'if(y.test(r.tagName)){const t=r.textContent.split(o),i=t.length-1;if(i>0){r.textContent=s?s.emptyScript:"";' +
      'for(let s=0;s<i;s++)r.append(t[s],c()),P.nextNode(),d.push({type:2,index:++l});r.append(t[i],c())}}',
    '',
  ],
  [
    'if(r.data===n)d.push({type:2,index:l});else{let t=-1;for(;-1!==(t=r.data.indexOf(o,t+1));)d.push({type:7,index:l}),t+=o.length-1}',
    'r.data===n&&d.push({type:2,index:l});',
  ],
  [
    '"!--"===u[1]?c=_:void 0!==u[1]?c=m:void 0!==u[2]?(y.test(u[2])&&(n=RegExp("</"+u[2],"g")),c=p):void 0!==u[3]&&(c=p)',
    '(void 0!==u[2]||void 0!==u[3])&&(c=p)',
  ],
  ['(c=n??v,d=-1)', '(c=v,d=-1)'],
  ['c===_||c===m?c=v:(c=p,n=void 0)', 'c=p'],
  ['/<(?:(!--|\\/[^a-zA-Z])|(\\/?[a-zA-Z][^>\\s]*)|(\\/?$))/g', '/<(?:()(\\/?[a-zA-Z][^>\\s]*)|(\\/?$))/g'],
  // MathML, and templates that were compiled before.
  ['l=2===i?"<svg>":3===i?"<math>":""', 'l=2===i?"<svg>":""'],
  ['(2===i?"</svg>":3===i?"</math>":"")', '(2===i?"</svg>":"")'],
  [
    'if(this.el=S.createElement(f,e),P.currentNode=this.el.content,2===i||3===i)',
    'if(this.el=S.createElement(f,e),P.currentNode=this.el.content,2===i)',
  ],
  [
    '{values:i,_$litType$:s}=t,e="number"==typeof s?this._$AC(t):(void 0===s.el&&(s.el=S.createElement(V(s.h,s.h[0]),this.options)),s);',
    '{values:i}=t,e=this._$AC(t);',
  ],
];

const LIT_ELEMENT: readonly Cut[] = [
  ['createRenderRoot(){const t=super.createRenderRoot();return this.renderOptions.renderBefore??=t.firstChild,t}', ''],
  ['this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),', ''],
  [
    'connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return r}',
    '',
  ],
];

/** By the name of Lit's file. */
const CUTS: Readonly<Record<string, readonly Cut[]>> = {
  'reactive-element': REACTIVE_ELEMENT,
  'lit-html': LIT_HTML,
  'lit-element': LIT_ELEMENT,
};

/**
 * One of Lit's files without what is cut out of it; nothing for any other file.
 * @throws {Error} where a cut is not found once: this is another version of Lit.
 */
export function cutLit(path: string, code: string): string | undefined {
  const [, name = ''] = /\/(lit-html|reactive-element|lit-element)\.js$/.exec(path) ?? [];
  return CUTS[name]?.reduce((lit, [theirs, ours]) => {
    if (lit.split(theirs).length !== 2) throw new Error(`Lit's ${name} has changed: it has not one ${theirs}`);
    // Not as a pattern: `$` stands in it for itself.
    return lit.replace(theirs, () => ours);
  }, code);
}
