/** A phone whose browser reads PINs from SMS, where its owner agrees (WebOTP). The browser of the tests has no SMS. */
export class FakeWebOtp {
  /** How often a page asked. */
  requestCount = 0;
  readonly #waiting = new Set<(code: string) => void>();

  constructor() {
    Object.assign(globalThis, {OTPCredential: Credential});
    Object.defineProperty(navigator.credentials, 'get', {
      configurable: true,
      value: (options: CredentialRequestOptions) => this.#wait(options),
    });
  }

  /** How many requests wait for an SMS. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** An SMS comes, and its owner lets the page have the PIN. */
  receive(code: string): void {
    for (const take of this.#waiting) take(code);
    this.#waiting.clear();
  }

  restore(): void {
    Reflect.deleteProperty(globalThis, 'OTPCredential');
    Reflect.deleteProperty(navigator.credentials, 'get');
  }

  #wait({signal}: CredentialRequestOptions): Promise<{code: string}> {
    this.requestCount += 1;
    return new Promise((resolve, reject) => {
      const take = (code: string) => resolve({code});
      this.#waiting.add(take);
      signal?.addEventListener('abort', () => {
        this.#waiting.delete(take);
        reject(signal.reason);
      });
    });
  }
}
