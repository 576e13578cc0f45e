/**
 * The session that the vendor form needs with the reading `vendor_form: 'session'`. The page sets a cookie and keeps the
 * same value in the browser's session storage. Its script sends the stored value with the form.
 */

import {answerPage, html, type Html, type PageRequest} from './page.ts';

const COOKIE = 'vendor_session';

/** Returns the session of the request's cookie, or a new session. */
export function openSession({headers}: PageRequest): string {
  return readCookie(headers) ?? crypto.randomUUID();
}

/** Returns true if the form was sent with the cookie, and with the same value from the session storage. */
export function hasSession({headers, parameters}: PageRequest): boolean {
  const session = readCookie(headers);
  return session !== undefined && parameters.text('session') === session;
}

/** The field that the script of the hosted pages fills from the session storage when the form is sent. */
export function sessionField(session: string): Html {
  return html`<input type="hidden" name="session" data-session="${session}">`;
}

/** Sets the cookie. `SameSite=None` lets browsers send it from a form that is in a frame of the merchant's page. */
export function setSession(response: Response, session: string): Response {
  response.headers.append('set-cookie', `${COOKIE}=${session}; Path=/pay/phs/vendor/; HttpOnly; Secure; SameSite=None`);
  return response;
}

export function refuseWithoutSession(request: PageRequest): Response {
  const {title, noSession} = request.texts.vendorPage;
  return answerPage(request, {title, content: html`<p>${noSession}</p>`, httpStatus: 403, embeddable: true});
}

function readCookie(headers: Headers): string | undefined {
  return /(?:^|;\s*)vendor_session=([\w-]{36})(?:;|$)/.exec(headers.get('cookie') ?? '')?.[1];
}
