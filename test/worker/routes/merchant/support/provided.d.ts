/**
 * Types of the values that `inject` gives to tests. The global setups that provide them belong to another TypeScript
 * project.
 */

import 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly generatedCases: number;
  }
}
