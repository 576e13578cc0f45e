/** `POST /v1/activities`: what the tracker tells of a visit. */
import * as z from 'zod';
import {TrackingId} from './browser-subscriptions.ts';

export const ACTIVITY_TYPES = ['visit', 'subscribe_clicked', 'confirm_clicked'] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

/**
 * The body, as JSON, also sent as `text/plain` so that a beacon needs no preflight; no session. The Worker adds the
 * visitor's address and browser, and takes numbers, PINs and tokens out of `url` and `referer` whatever the page left in.
 * It answers `202` with `{}` at once and tells the platform then, or when it is back.
 */
export const Activity = z.strictObject({
  /** Names the product; an offer without one is refused with `unknown_offer`. */
  offer: z.string().min(1).max(64),
  type: z.enum(ACTIVITY_TYPES),
  tracking_id: TrackingId,
  /** The page's own name of this event: the same one counts once, however often it arrives in a day. */
  event_id: z.string().regex(/^[\w-]{8,64}$/).optional(),
  /** Address of the page, of the same origin as the request; a `visit` needs it. */
  url: z.string().min(1).max(2000).optional(),
  /** Where the visitor came from, `"-"` where that is not known. */
  referer: z.string().min(1).max(2000).optional(),
});
export type Activity = z.infer<typeof Activity>;

/** `202` of `POST /v1/activities`. */
export const ActivityTaken = z.strictObject({});
