import {isIban} from '../banks.ts';
import type {Context} from '../context.ts';
import type {Vendor, VendorDetails, Vendors} from '../records/vendors.ts';
import {
  answerNotFound,
  answerPage,
  redirectTo,
  nextStepLink,
  type PageRequest,
  html,
  inputField,
  checkField,
  postForm,
  type Field,
} from './page.ts';
import {hasSession, openSession, refuseWithoutSession, sessionField, setSession} from './vendor-session.ts';

const REQUIRED: readonly (keyof VendorDetails)[] = ['name', 'phone', 'iban'];

type Errors = Partial<Record<keyof VendorDetails | 'accept', string>>;

/**
 * The form with which a vendor registers. The merchant may show the form in a frame (orders.md 4.6). The reading
 * `vendor_form` says whether the form needs a session.
 */
export function answerVendorPage(request: PageRequest, formCode: string, {vendors, readings}: Context): Response {
  const vendor = vendors.findByForm(formCode);
  if (!vendor) return answerNotFound(request);
  if (vendor.state !== 'invited') return showResult(request, vendor);
  if (readings.get('vendor_form') === 'plain') return runForm(request, vendor, vendors);
  if (request.method === 'POST' && !hasSession(request)) return refuseWithoutSession(request);
  const session = openSession(request);
  return setSession(runForm(request, vendor, vendors, session), session);
}

function runForm(request: PageRequest, vendor: Vendor, vendors: Vendors, session?: string): Response {
  if (request.method !== 'POST') return showForm(request, vendor, {details: vendor.details, errors: {}, session});
  const details = readDetails(request);
  if (request.parameters.text('step') === 'decline') {
    vendors.setState(vendor, 'declined', vendor.details);
    return redirectTo(vendor.failureUrl);
  }
  const errors = findErrors(request, details);
  if (Object.keys(errors).length > 0) return showForm(request, vendor, {details, errors, session});
  vendors.setState(vendor, 'registered', details);
  return redirectTo(vendor.successUrl);
}

function readDetails({parameters}: PageRequest): VendorDetails {
  const text = (name: string): string => parameters.text(name).trim();
  return {
    name: text('name'),
    tc_no: text('tc_no'),
    phone: text('phone'),
    email: text('email'),
    iban: text('iban').replace(/\s/g, ''),
  };
}

/**
 * Checks the form. An IBAN with wrong check digits is refused once. It is accepted when the vendor sends the same IBAN
 * again, because some real IBANs fail the check.
 */
function findErrors({texts, parameters}: PageRequest, details: VendorDetails): Errors {
  const missing = REQUIRED.filter((name) => details[name] === '').map((name) => [name, texts.required]);
  const unconfirmedIban = details.iban !== '' && !isIban(details.iban) && parameters.text('odd_iban') !== details.iban;
  return {
    ...Object.fromEntries(missing),
    ...(unconfirmedIban ? {iban: texts.vendorPage.oddIban} : {}),
    ...(parameters.text('accept') === '' ? {accept: texts.vendorPage.mustAccept} : {}),
  };
}

interface FormContent {
  readonly details: VendorDetails;
  readonly errors: Errors;
  readonly session: string | undefined;
}

function showForm(request: PageRequest, vendor: Vendor, {details, errors, session}: FormContent): Response {
  const {texts} = request;
  const {vendorPage} = texts;
  const fields: readonly (Field & {name: keyof VendorDetails})[] = [
    {name: 'name', label: vendorPage.name, autocomplete: 'organization'},
    {name: 'tc_no', label: `${vendorPage.tc} (${vendorPage.optional})`, inputMode: 'numeric'},
    {name: 'phone', label: vendorPage.phone, type: 'tel', autocomplete: 'tel'},
    {name: 'email', label: `${vendorPage.email} (${vendorPage.optional})`, type: 'email', autocomplete: 'email'},
    {name: 'iban', label: vendorPage.iban},
  ];
  const content = html`<p>${vendorPage.text}</p>
${postForm(
  [
    fields.map((field) => inputField({...field, value: details[field.name], error: errors[field.name]})),
    errors.iban === vendorPage.oddIban && html`<input type="hidden" name="odd_iban" value="${details.iban}">`,
    session !== undefined && sessionField(session),
    checkField({
      name: 'accept',
      label: vendorPage.accept,
      checked: request.parameters.text('accept') !== '',
      error: errors.accept,
    }),
  ],
  [
    {text: vendorPage.register, step: 'register'},
    {text: vendorPage.decline, step: 'decline'},
  ],
)}`;
  const {successUrl, failureUrl} = vendor;
  const httpStatus = Object.keys(errors).length > 0 ? 422 : 200;
  return answerPage(request, {
    title: vendorPage.title,
    content,
    httpStatus,
    formTargets: [successUrl, failureUrl],
    embeddable: true,
  });
}

function showResult(request: PageRequest, {state, successUrl, failureUrl}: Vendor): Response {
  const {texts} = request;
  const registered = state === 'registered';
  return answerPage(request, {
    title: registered ? texts.vendorPage.registered : texts.vendorPage.declined,
    content: html`${registered && html`<p class="done" role="status">${texts.vendorPage.registeredText}</p>`}
<p class="actions">${nextStepLink(registered ? successUrl : failureUrl, texts.continue)}</p>`,
    embeddable: true,
  });
}
