/** What a browser that reads the SMS for its owner gives; the types of the DOM library do not know it yet. */
interface OtpCredential {
  readonly code: string;
}

/** Waits for the PIN of an SMS, where the browser can read it and its owner agrees. */
export async function readPinFromSms(signal: AbortSignal): Promise<string | undefined> {
  if (!('OTPCredential' in globalThis)) return undefined;
  try {
    const options = {otp: {transport: ['sms']}, signal} as CredentialRequestOptions;
    return ((await navigator.credentials.get(options)) as OtpCredential | null)?.code;
  } catch {
    // Refused, or over: it is typed.
    return undefined;
  }
}
