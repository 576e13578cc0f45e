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
// The test runner makes this file from the class comments of the elements, and serves it.
// @ts-expect-error no such file
import {elements as manifest} from '../support/manifest.js';
import {show} from '../support/page.ts';
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

describe('an element', () => {
  let api = '';

  before(async () => {
    const worker = await TestWorker.start();
    api = worker.address;
    defineActivity(`${api}/`);
  });

  for (const row of ELEMENTS)
    for (const [way, set] of Object.entries(WAYS)) {
      const isByProperty = way !== 'an attribute';

      it(`${row.tagName} takes each attribute at once as ${way}`, () => {
        const element = document.createElement(row.tagName);
        for (const round of ROUNDS) {
          const values = valuesOf(row, round, api);
          set(element, row, values);
          if (round === 0) show('<form></form>').append(element);
          expect(differences(element, row, values, isByProperty)).to.deep.equal([]);
        }
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
        }
      });
    }
});
