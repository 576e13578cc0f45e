/** Scripts that make a page equal to the server's HTML leave elements as they are. */
import {Idiomorph} from 'idiomorph';
import morphdom from 'morphdom';
import {differences, isBoolean, valuesOf} from '../widgets/support/attribute-table.ts';
import {API, ELEMENTS, report, settled} from './table.js';

const MORPHS = {morphdom, Idiomorph: (form, html) => Idiomorph.morph(form, html)};

report(async () => {
  await import('vezne/elements');
  const found = [];
  for (const [name, morph] of Object.entries(MORPHS))
    for (const row of ELEMENTS) {
      const values = valuesOf(row, 0, API);
      const element = document.createElement(row.tagName);
      for (const attribute of row.attributes)
        element.setAttribute(attribute.name, isBoolean(attribute) ? '' : values[attribute.name]);
      const html = `<form>${element.outerHTML}</form>`;
      document.body.innerHTML = html;
      const form = document.body.firstElementChild;
      const shown = form.firstElementChild;
      await shown.updateComplete;
      while (shown.shadowRoot?.querySelector('.skeleton')) await settled();
      const isComplete = shown.hasAttribute('complete');
      if (row.tagName === 'vezne-payment-status' && !isComplete) found.push(`${name}: ${row.tagName} has no state`);
      for (let times = 0; times < 2; times += 1) {
        morph(form, html);
        await settled();
        if (form.firstElementChild !== shown) found.push(`${name}: ${row.tagName} was replaced`);
        if (shown.hasAttribute('complete') !== isComplete) found.push(`${name}: ${row.tagName} has lost its state`);
        found.push(...differences(shown, row, values, () => false).map((problem) => `${name}: ${problem}`));
      }
    }
  return found;
});
