/** A hand-off of an order to another device, as the order stores it. */

export interface HandoffTerms {
  /** The origin of the page that made the hand-off; only this origin may redeem it. */
  readonly origin: string;
  /** Until when the new session may read the payment. */
  readonly readUntil: number;
  readonly offer?: string | undefined;
  /** How many hours the shopper has to pay, as in the session. */
  readonly hours: number;
  /** Set if the page has a bill's link. */
  readonly shared?: true | undefined;
}

/** An open hand-off. Its secret is not stored, only the digest of the secret. */
export interface StoredHandoff extends HandoffTerms {
  readonly digest: string;
  readonly expiresAt: number;
  /**
   * The `attempt` that redeemed the hand-off; null if the page sent no attempt id, undefined before it is redeemed.
   */
  readonly usedBy?: string | null;
}
