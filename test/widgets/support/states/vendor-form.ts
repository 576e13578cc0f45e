/** The states of `vezne-vendor-form`. */

import type {ErrorCode} from '../../../../worker/contract/codes.ts';
import {VENDOR_FORM} from '../../stub-worker/answers.ts';
import {find, until} from '../page.ts';
import {held, refused, reset, showsSkeleton, showsText, type State, type States} from './state.ts';

const vendor = '<vezne-vendor-form session="vendor" lang="tr"></vezne-vendor-form>';

const formWith = (body: string) => ({...VENDOR_FORM, url: `/page?${new URLSearchParams({body})}`});

/** A form that reports its outcome as soon as it opens. */
const formWithOutcome = (outcome: string) =>
  formWith(
    `<script>parent.postMessage({type: 'vezne-vendor', outcome: '${outcome}', nonce: '${VENDOR_FORM.nonce}'}, '*')</script>`,
  );
const failed = (code: ErrorCode, expected: string): State => ({
  markup: vendor,
  script: {faults: {vendorForm: refused(code)}},
  reach: showsText(expected),
});

export const VENDOR_FORM_STATES: States = {
  'a vendor form': {
    markup: vendor,
    script: {vendorForm: formWith('<p>Form</p>')},
    reach: (element) => until('the form', () => find(element, 'iframe:not(.visually-hidden)')),
  },
  'a vendor form that is loading': {markup: vendor, script: {faults: {vendorForm: held}}, reach: showsSkeleton},
  'a vendor form that was sent': {
    markup: vendor,
    script: {vendorForm: formWithOutcome('success')},
    reach: showsText('Başvurunuz alındı'),
  },
  'a vendor form that was not sent': {
    markup: vendor,
    script: {vendorForm: formWithOutcome('failure')},
    reach: showsText('Formu yeniden aç'),
  },
  'a vendor form that failed': failed('temporarily_unavailable', 'yanıt vermiyor'),
  'a vendor form that is rate limited': failed('rate_limited', 'Lütfen biraz bekleyin'),
  'a vendor form whose session has ended': failed('session_expired', 'Sayfanın süresi doldu'),
  'a vendor form on a page that is not allowed': failed('origin_not_allowed', 'başvuru yapılamıyor'),
  'a vendor form of a Worker that is misconfigured': failed('misconfigured', 'Hata kodu'),
  'a vendor form without a connection': {
    markup: vendor,
    script: {faults: {vendorForm: reset}},
    reach: showsText('hizmetine ulaşılamıyor'),
  },
};
