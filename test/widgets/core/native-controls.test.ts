/** Elements are like those of HTML: for markup, properties, forms, labels, and attributes that every element has. */

import {expect} from '@open-wc/testing/pure';
import '../../../widgets/bundles/hosted.ts';
import '../../../widgets/bundles/one-click.ts';
import '../../../widgets/bundles/payment-notice.ts';
import '../../../widgets/bundles/subscription.ts';
import {defineActivity} from '../../../widgets/activity/vezne-activity.ts';
import {define} from '../../../widgets/core/define.ts';
import {VezneRefundContact} from '../../../widgets/refund/vezne-refund-contact.ts';
import type {VezneBankList} from '../../../widgets/transfer/bank-list/vezne-bank-list.ts';
import {VeznePayButton} from '../../../widgets/transfer/pay-button/vezne-pay-button.ts';
import {VezneVendorForm} from '../../../widgets/vendor-form/vezne-vendor-form.ts';
import {
  type ElementRow,
  type Values,
  ROUNDS,
  differences,
  fieldOf,
  isBoolean,
  valuesOf,
} from '../support/attribute-table.ts';
import {inside, openPage} from '../support/frame.ts';
// The test runner makes this file from the class comments of the elements, and serves it.
// @ts-expect-error no such file
import {elements as manifest} from '../support/manifest.js';
import {find, focused, record, show} from '../support/page.ts';
import {TestWorker} from '../support/test-worker.ts';

const ELEMENTS = manifest as readonly ElementRow[];

define(VeznePayButton, VezneRefundContact, VezneVendorForm);

/** How plain pages set values. The text of a false value is what templates write. */
const WAYS = {
  'an attribute': (element: Element, {attributes}: ElementRow, values: Values) => {
    for (const {name} of attributes) {
      const value = values[name];
      if (value === undefined) element.removeAttribute(name);
      else element.setAttribute(name, value === true ? '' : String(value));
    }
  },
  'a property': (element: Element, {attributes}: ElementRow, values: Values) => {
    for (const attribute of attributes) Object.assign(element, {[fieldOf(attribute)]: values[attribute.name]});
  },
  'a property with a text': (element: Element, {attributes}: ElementRow, values: Values) => {
    for (const attribute of attributes) {
      const value = values[attribute.name];
      Object.assign(element, {[fieldOf(attribute)]: isBoolean(attribute) ? String(!!value) : value});
    }
  },
} as const;

/** Whether the page has room for the element, and whether its content is drawn. */
const drawing = (element: Element) => {
  const {display, contentVisibility} = getComputedStyle(element);
  return {display, contentVisibility};
};

describe('an element', () => {
  let api = '';

  before(async () => {
    const worker = await TestWorker.start();
    api = worker.address;
    defineActivity(`${api}/`);
  });

  for (const row of ELEMENTS)
    for (const [way, set] of Object.entries(WAYS)) {
      const isByProperty = () => way !== 'an attribute';

      it(`${row.tagName} takes each attribute at once as ${way}`, () => {
        const element = document.createElement(row.tagName);
        for (const round of ROUNDS) {
          const values = valuesOf(row, round, api);
          set(element, row, values);
          if (round === 0) show('<form></form>').append(element);
          expect(differences(element, row, values, isByProperty)).to.deep.equal([]);
        }
        // Before the console says that it has no offer.
        element.remove();
      });

      it(`${row.tagName} takes what was set as ${way} before it was defined`, async () => {
        for (const round of ROUNDS) {
          const values = valuesOf(row, round, api);
          const tagName = `${row.tagName}-${way.replaceAll(' ', '-')}-${round}`;
          const element = show(`<form><${tagName}></${tagName}></form>`).firstElementChild as Element;
          set(element, row, values);
          customElements.define(tagName, class extends (customElements.get(row.tagName) as typeof HTMLElement) {});
          await (element as VezneBankList).updateComplete;
          expect(differences(element, {...row, tagName}, values, isByProperty)).to.deep.equal([]);
          element.remove();
        }
      });
    }

  for (const {tagName} of ELEMENTS.filter((each) => each.tagName !== 'vezne-activity')) {
    const markup = (attributes: string) => `<${tagName} api="${api}" offer="gold" ${attributes}></${tagName}>`;
    it(`${tagName} can be hidden, found, inert and a popover, as every element of HTML`, async () => {
      const element = show(markup('popover'));
      await (element as VezneBankList).updateComplete;
      expect(drawing(element).display).to.equal('none');
      element.showPopover();
      expect(drawing(element).display).to.equal('block');
      element.hidePopover();
      expect(drawing(element).display).to.equal('none');
      element.popover = null;
      expect(drawing(element)).to.deep.equal({display: 'block', contentVisibility: 'visible'});
      element.hidden = true;
      expect(drawing(element).display).to.equal('none');
      element.setAttribute('hidden', 'until-found');
      expect(drawing(element)).to.deep.equal({display: 'block', contentVisibility: 'hidden'});
      element.hidden = false;
      element.inert = true;
      const base = find(element, '.base');
      base?.focus();
      expect(focused()).not.to.equal(base);
      element.inert = false;
      base?.focus();
      expect(focused()).to.equal(base);
    });
  }

  it('throws nothing while it is in no page, and in a simulated browser without ElementInternals', async () => {
    const faults = ['error', 'unhandledrejection'].map((type) => record<Event>(globalThis, type));
    const {attachInternals} = HTMLElement.prototype;
    try {
      for (const isReal of [true, false]) {
        if (!isReal) Object.assign(HTMLElement.prototype, {attachInternals: undefined});
        for (const row of ELEMENTS) {
          const element = document.createElement(row.tagName) as VezneBankList;
          const clone = element.cloneNode(true) as VezneBankList;
          for (const each of [element, clone]) {
            WAYS['a property'](each, row, valuesOf(row, 0, api));
            each.focus();
            each.click();
          }
          show('<form></form>').append(clone);
          await clone.updateComplete;
          clone.remove();
        }
      }
      // Observers of sizes report also elements that are in no page.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    } finally {
      Object.assign(HTMLElement.prototype, {attachInternals});
    }
    expect(faults).to.deep.equal([[], []]);
  });

  it('is a popover, and can be found while hidden, also before its script has run', async () => {
    const frame = await openPage({
      head: `<link rel="stylesheet" href="${api}/vezne.css">`,
      body: '<vezne-pin-subscribe popover></vezne-pin-subscribe>',
    });
    const element = await inside(frame, 'vezne-pin-subscribe');
    const display = () => frame.contentWindow?.getComputedStyle(element).display;
    const sheet = frame.contentDocument?.querySelector('link')?.sheet;
    expect(sheet?.cssRules.length, 'rules of vezne.css').to.be.greaterThan(0);
    expect(display()).to.equal('none');
    element.showPopover();
    expect(display()).to.equal('block');
    element.popover = null;
    for (const [hidden, shown] of [
      ['', 'none'],
      ['until-found', 'block'],
      ['UNTIL-FOUND', 'block'],
    ] as const) {
      element.setAttribute('hidden', hidden);
      expect(display(), hidden).to.equal(shown);
    }
  });
});
