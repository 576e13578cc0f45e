/** What `sandbox-server.ts` provides to tests, which ask for it with `inject`. */
export interface SandboxAddresses {
  /** The sandbox itself: its controls work whatever the line does. */
  readonly sandboxUrl: string;
  /** The same through the line, as the Worker sees the platform. */
  readonly platformUrl: string;
  /** `POST /open`, `/refused`, `/silent`, `/reset`, `/truncated`. */
  readonly lineUrl: string;
}

declare module 'vitest' {
  export interface ProvidedContext extends SandboxAddresses {
    /** Which part of its cases a figure is taken from; 1 is all of them. */
    readonly scale: number;
  }
}
