/**
 * Reads the PIN from the SMS with the WebOTP API, on phones that have it. The phone asks the shopper first. The last
 * line of the SMS must name the page's domain. Whether the SMS has such a line depends on the platform.
 */

/** The result of the WebOTP API, with which a browser reads a PIN from an SMS. TypeScript's DOM types lack it. */
interface OtpCredential {
  /** The PIN. */
  readonly code: string;
}

/**
 * Waits for the PIN from an SMS, if the browser can read it and the shopper agrees.
 * @param signal - Ends the wait, for example when another PIN was sent.
 */
export async function readPinFromSms(signal: AbortSignal): Promise<string | undefined> {
  if (!('OTPCredential' in globalThis)) return undefined;
  try {
    const options = {otp: {transport: ['sms']}, signal} as CredentialRequestOptions;
    return ((await navigator.credentials.get(options)) as OtpCredential | null)?.code;
  } catch {
    // The shopper declined, or the request was aborted. The shopper has to type the PIN.
    return undefined;
  }
}
