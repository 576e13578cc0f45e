/** The URLs that `sandbox-server.ts` provides. Tests read them with `inject`. */
export interface SandboxAddresses {
  /** The sandbox itself. Its controls work under every fault. */
  readonly sandboxUrl: string;
  /** The sandbox behind the fault proxy, as the Worker calls it. */
  readonly platformUrl: string;
  /**
   * The server with which tests set the fault of the proxy: `POST /open` (no fault), `/refused`, `/silent`, `/reset` or
   * `/truncated`.
   */
  readonly lineUrl: string;
}

declare module 'vitest' {
  export interface ProvidedContext extends SandboxAddresses {
    /** The fraction of its cases that a scaled test runs; 1 means all. */
    readonly scale: number;
    /** While a release is made, the file in which `released-stores.test.ts` keeps what it has recorded. */
    readonly storesFile: string | null;
  }
}
