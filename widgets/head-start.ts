/**
 * The part of the Worker client that runs before the elements are here: on a slow phone the list of banks is under way while
 * they still load. Only the script tag imports this; `internal/payment-client.ts` picks the answer up.
 */

/** Where the script tag leaves what elements need of it. */
export interface Script {
  /** Address of the script's Worker, with a slash at the end. */
  readonly api: string;
  /** The list of banks, asked for by the script; whoever takes it leaves nothing. */
  banks?: Promise<Response>;
}

export function askForBanks(script: Script): void {
  script.banks = fetch(`${script.api}v1/banks`, {credentials: 'omit'});
  // Who takes it learns of a failure; nobody may.
  script.banks.catch(() => {});
}
