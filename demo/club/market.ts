/**
 * Registers a vendor at a marketplace. The marketplace's server sends what it knows about the vendor, and the
 * platform's form asks the vendor for the rest.
 */

import '../demo-bar.ts';
import {createSession, mountElement, SessionRefused} from './merchant-server.ts';

const form = document.querySelector('#apply') as HTMLFormElement;
const lead = document.querySelector('#market-text') as HTMLElement;
const heading = document.querySelector('#application') as HTMLElement;
const result = document.querySelector('#apply-result') as HTMLElement;

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  result.textContent = '';
  const {name, phone, iban} = Object.fromEntries(new FormData(form)) as Record<string, string>;
  try {
    const vendor = {vendor_code: `V-${Date.now().toString(36)}`, name, phone: compact(phone), iban: compact(iban)};
    const element = mountElement(
      'vezne-vendor-form',
      await createSession(form.dataset['key'] ?? '', {kind: 'vendor', service: 'DEMO', ...vendor}),
    );
    // The pressed button disappears with the form, so the focus moves to the element that replaces the form.
    form.hidden = true;
    // The headings of the element need a heading above them.
    heading.hidden = false;
    lead.textContent = lead.dataset['last'] ?? '';
    // After the form, the element itself says what comes next.
    element.addEventListener('vezne-vendor', () => (lead.hidden = true));
    element.tabIndex = -1;
    element.focus();
  } catch (error) {
    markFields(error instanceof SessionRefused ? error.fields : []);
    const invalid = form.querySelector<HTMLInputElement>('[aria-invalid=true]');
    if (!invalid) result.textContent = form.dataset['wrong'] ?? '';
    invalid?.focus();
  }
});

/** Says below each invalid field what is wrong with it. */
function markFields(invalid: readonly string[]): void {
  for (const field of form.querySelectorAll('input')) {
    const isInvalid = invalid.includes(field.name);
    field.ariaInvalid = String(isInvalid);
    const message = form.querySelector(`#${field.id}-error`);
    if (message) message.textContent = isInvalid ? (field.dataset['wrong'] ?? '') : '';
  }
}

/** Removes the spaces that make a number readable. */
function compact(value = ''): string {
  return value.replaceAll(/\s/g, '');
}
