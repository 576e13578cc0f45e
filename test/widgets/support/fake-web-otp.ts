/** A phone whose browser reads PINs from SMS (WebOTP), because the test browser receives none. */
export class FakeWebOtp {
  /** Number of requests by the page. */
  requestCount = 0;
  readonly #waiting = new Set<(code: string) => void>();

  constructor() {
    Object.assign(globalThis, {OTPCredential: Credential});
    Object.defineProperty(navigator.credentials, 'get', {
      configurable: true,
      value: (options: CredentialRequestOptions) => this.#wait(options),
    });
  }

  /** Number of requests that wait for an SMS. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Receives an SMS; the shopper lets the page read the PIN. */
  receive(code: string): void {
    for (const resolve of this.#waiting) resolve(code);
    this.#waiting.clear();
  }

  restore(): void {
    Reflect.deleteProperty(globalThis, 'OTPCredential');
    Reflect.deleteProperty(navigator.credentials, 'get');
  }

  #wait({signal}: CredentialRequestOptions): Promise<{code: string}> {
    this.requestCount += 1;
    return new Promise((resolve, reject) => {
      const resolveWithCode = (code: string) => resolve({code});
      this.#waiting.add(resolveWithCode);
      signal?.addEventListener('abort', () => {
        this.#waiting.delete(resolveWithCode);
        reject(signal.reason);
      });
    });
  }
}
