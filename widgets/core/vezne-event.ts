/** What the events of all elements have in common: they bubble, also out of the shadow they began in. */
export abstract class VezneEvent extends Event {
  constructor(type: string) {
    super(type, {bubbles: true, composed: true});
  }
}
