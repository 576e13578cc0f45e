/** Activities: visits and clicks, which the Worker counts. It reports those of a product's pages to the platform. */

import {pageLine} from '../../contract/browser/page-facts.ts';
import {ApiError, fieldError} from '../../http/errors.ts';
import {redactUrl} from '../../http/redact-url.ts';
import {digest} from '../../lib/crypto.ts';
import type {VisitorActivity} from '../../objects/activities.ts';
import {isBill, requireOffer} from '../offers.ts';
import type {BrowserHandlers} from './handler.ts';

/**
 * Value of a visit's missing detail. The platform requires all four details of a visit, and none of a click
 * (`docs/spec/subscriptions.md`, 4.C rule 5).
 */
const UNKNOWN = '-';
const MAX_BROWSER_LENGTH = 300;

export const activityHandlers = {
  /** POST /v1/activities: accepts an activity; the Worker reports it to the platform later. */
  async recordActivity({offer: id, event_id, type, tracking_id, url, referer}, context, request) {
    const offer = await requireOffer(context, id);
    // A bill has one shopper, and its name is a secret.
    if (isBill(offer)) throw new ApiError('unknown_offer');
    const {product} = offer;
    if (url !== undefined && !isOnPageOrigin(url, request))
      throw fieldError('invalid_request', 'url', 'This URL is not on the page’s origin.');
    if (type === 'visit' && url === undefined)
      throw fieldError('invalid_request', 'url', 'A visit needs the URL of the page.');

    const details = {
      url: url === undefined ? undefined : redactUrl(url),
      userip: request.headers.get('cf-connecting-ip') ?? undefined,
      browser: toPrintable(request.headers.get('user-agent') ?? '').slice(0, MAX_BROWSER_LENGTH) || undefined,
      referer: referer ? redactUrl(referer) : undefined,
    };
    const activity: VisitorActivity | null =
      product === undefined
        ? null
        : type === 'visit'
          ? {
              type,
              product,
              tracking_id,
              url: details.url ?? UNKNOWN,
              userip: details.userip ?? UNKNOWN,
              browser: details.browser ?? UNKNOWN,
              referer: details.referer ?? UNKNOWN,
            }
          : {type, product, tracking_id, ...details};
    const key = event_id && (await digest('SHA-256', `${product ?? id}\n${tracking_id}\n${event_id}`));
    const isAccepted = await (
      await context.objects.activities(tracking_id)
    ).record(key, activity, {
      type,
      offer: id,
      campaign: pageLine(new URL(url ?? 'https://page.invalid').searchParams.get('utm_campaign') ?? ''),
    });
    if (!isAccepted) throw new ApiError('temporarily_unavailable', {retryAfterSeconds: 60});
    return {};
  },
} satisfies Partial<BrowserHandlers>;

/** In this header, browsers send only printable ASCII. An attacker could send characters that break the platform. */
function toPrintable(header: string): string {
  return header.replace(/[^\x20-\x7e]/g, '?').trim();
}

function isOnPageOrigin(url: string, request: Request): boolean {
  return URL.canParse(url) && new URL(url).origin === request.headers.get('origin');
}
