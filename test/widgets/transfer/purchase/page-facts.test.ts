/** What the elements of a page say of their order. */

import {expect} from '@open-wc/testing/pure';
import '../../../../widgets/bundles/hosted.ts';
import '../../../../widgets/bundles/transfer.ts';
import {mayTrack} from '../../../../widgets/transfer/purchase/may-track.ts';
import {pageFacts} from '../../../../widgets/transfer/purchase/page-facts.ts';

const GOLD = {offer: 'gold', session: ''};
const SESSION = {offer: '', session: 'shop-session-1'};
/** A family is one character for a shopper, and several for a computer. */
const FAMILY = '👩‍👩‍👧';

/** What the page says of an order, with this markup. */
function saidBy(markup: string, key = GOLD) {
  const page = document.createElement('main');
  page.innerHTML = markup;
  customElements.upgrade(page);
  return pageFacts(page, key);
}

describe('what a page says of an order', () => {
  for (const [what, attributes, key, isSaid] of [
    ['an element of the offer', 'offer="gold"', GOLD, true],
    ['an element of another offer', 'offer="lamp"', GOLD, false],
    ['an element of a session', 'session="shop-session-1"', SESSION, true],
    ['an element of a session that also names an offer', 'offer="gold" session="shop-session-1"', SESSION, true],
    ['an element of a session, for the order of its offer', 'offer="gold" session="shop-session-1"', GOLD, false],
    ['an element of another session', 'offer="gold" session="shop-session-2"', SESSION, false],
  ] as const) {
    it(`is ${isSaid ? '' : 'not '}the reference of ${what}`, () => {
      for (const tag of ['vezne-checkout', 'vezne-payment-code', 'vezne-pay-button'])
        expect(saidBy(`<${tag} ${attributes} reference="shelf-3"></${tag}>`, key)).to.deep.equal(
          isSaid ? {reference: 'shelf-3'} : undefined,
        );
    });
  }

  for (const [what, reference, sent] of [
    ['200 characters', 'a'.repeat(201), 'a'.repeat(200)],
    ['whole characters outside the basic plane', '🛋'.repeat(201), '🛋'.repeat(200)],
    ['whole parts of a joined character', FAMILY.repeat(50), [...FAMILY.repeat(50)].slice(0, 200).join('')],
  ] as const) {
    it(`is cut to ${what}`, () => {
      const metadata = JSON.stringify({size: reference});
      const said = saidBy(`<vezne-checkout offer="gold" reference="${reference}"></vezne-checkout>`);
      expect(said).to.deep.equal({reference: sent});
      expect(said?.reference?.isWellFormed()).to.equal(true);
      const element = `<vezne-checkout offer="gold" metadata='${metadata}'></vezne-checkout>`;
      expect(saidBy(element)).to.deep.equal({metadata: {size: sent}});
    });
  }
});

const tracker = (consent = '') => `<vezne-activity ${consent}></vezne-activity>`;

describe('a visit', () => {
  for (const [what, markup, said, isNamed] of [
    ['on a page that asks nobody', '', undefined, false],
    ['with a tracker that asks for no consent', tracker(), undefined, true],
    ['with consent="false"', tracker('consent="false"'), undefined, true],
    ['with consent="False"', tracker('consent="False"'), undefined, true],
    ['with consent="required"', tracker('consent="required"'), undefined, false],
    ['with consent="Required"', tracker('consent="Required"'), undefined, false],
    ['with a misspelt consent', tracker('consent="requierd"'), undefined, false],
    ['with an empty consent', tracker('consent'), undefined, false],
    ['with two trackers, one of which asks', tracker() + tracker('consent="required"'), undefined, false],
    ['of a shopper who has consented', '', true, true],
    ['of a shopper who has consented when asked', tracker('consent="required"'), true, true],
    ['of a shopper who has withdrawn the consent', tracker(), false, false],
  ] as const) {
    it(`${what} may ${isNamed ? '' : 'not '}be named`, () => {
      const page = document.createElement('main');
      page.innerHTML = markup;
      document.body.append(page);
      const before = self.vezne;
      self.vezne = said === undefined ? {} : {consented: said};
      try {
        expect(mayTrack()).to.equal(isNamed);
      } finally {
        if (before) self.vezne = before;
        else delete self.vezne;
        page.remove();
      }
    });
  }
});
