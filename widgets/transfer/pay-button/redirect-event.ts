/** The shopper is about to be sent to one of the platform's pages. A page that prevents it opens the address itself. */
export class RedirectEvent extends Event {
  static readonly type = 'vezne-redirect';
  constructor(readonly url: string) {
    super(RedirectEvent.type, {bubbles: true, composed: true, cancelable: true});
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-redirect': RedirectEvent;
  }
}
