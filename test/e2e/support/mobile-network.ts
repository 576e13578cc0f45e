/**
 * The mobile network of a test. Through the sandbox's controls it reads SMS and subscriptions and creates number
 * tokens.
 */
export class MobileNetwork {
  readonly #sandbox: string;

  constructor(sandbox: string) {
    this.#sandbox = sandbox;
  }

  /** @returns The PIN in the newest SMS to a number that has one. */
  async pinOf(msisdn: string): Promise<string> {
    const {messages} = await this.#read<{messages: {message: string}[]}>(`sms?msisdn=${msisdn}`);
    const pins = messages.map(({message}) => /\b\d{4}\b/.exec(message)?.[0]).filter((pin) => pin !== undefined);
    const pin = pins.at(-1);
    if (!pin) throw new Error(`No PIN was sent to ${msisdn}.`);
    return pin;
  }

  /** @returns The number token that the network adds to the URL when this number visits a landing page. */
  async tokenOf(msisdn: string): Promise<string> {
    const response = await fetch(`${this.#sandbox}/_sandbox/number-tokens`, {
      method: 'POST',
      body: JSON.stringify({msisdn}),
    });
    return ((await response.json()) as {number_token: string}).number_token;
  }

  /** @returns The state of each subscription of a number. */
  async subscriptionsOf(msisdn: string): Promise<string[]> {
    const {subscriptions} = await this.#read<{subscriptions: {status: string}[]}>(`subscriptions?msisdn=${msisdn}`);
    return subscriptions.map(({status}) => status);
  }

  /** @returns The types of the activities that the platform received for a visit, oldest first. */
  async activitiesOf(trackingId: string): Promise<string[]> {
    const {activities} = await this.#read<{activities: {type: string; tracking_id: string}[]}>('activities?limit=100');
    return activities
      .filter(({tracking_id}) => tracking_id === trackingId)
      .map(({type}) => type)
      .toReversed();
  }

  async #read<T>(control: string): Promise<T> {
    return (await (await fetch(`${this.#sandbox}/_sandbox/${control}`)).json()) as T;
  }
}
