/** A fake of WebOTP, the browser API that reads a PIN from an SMS if the owner of the phone agrees. */
export class FakeWebOtp {
  /** How many requests the page has sent. */
  requestCount = 0;
  readonly #pending = new Set<(code: string) => void>();

  constructor() {
    Object.assign(globalThis, {OTPCredential: Credential});
    Object.defineProperty(navigator.credentials, 'get', {
      configurable: true,
      value: (options: CredentialRequestOptions) => this.#wait(options),
    });
  }

  /** How many requests of the page are waiting for an SMS. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Simulates that an SMS arrives and that the owner of the phone gives the PIN to the page. */
  receive(code: string): void {
    for (const resolveRequest of this.#pending) resolveRequest(code);
    this.#pending.clear();
  }

  restore(): void {
    Reflect.deleteProperty(globalThis, 'OTPCredential');
    Reflect.deleteProperty(navigator.credentials, 'get');
  }

  #wait({signal}: CredentialRequestOptions): Promise<{code: string}> {
    this.requestCount += 1;
    return new Promise((resolve, reject) => {
      const resolveRequest = (code: string) => resolve({code});
      this.#pending.add(resolveRequest);
      signal?.addEventListener('abort', () => {
        this.#pending.delete(resolveRequest);
        reject(signal.reason);
      });
    });
  }
}
