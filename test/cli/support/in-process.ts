/** Runs commands of `cli/` in this process: a process of its own would take longer to start than the command takes. */

import process from 'node:process';
import {vi} from 'vitest';
import {main} from '../../../cli/main.mjs';

export interface Ended {
  readonly code: number;
  readonly printed: string;
}

/** @param env - VEZNE_CONFIG names the file with the operator's settings. */
export async function runHere(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const lines: string[] = [];
  const spies = (['log', 'warn', 'error'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((text: unknown) => void lines.push(String(text))),
  );
  // npm has started these tests, but not this command, and the ports are those of a developer's own servers.
  const own = {npm_command: undefined, PORT: undefined, SANDBOX_PORT: undefined};
  for (const [name, value] of Object.entries({...own, ...env})) vi.stubEnv(name, value);
  const before = process.exitCode;
  try {
    process.exitCode = 0;
    await main([...args]);
    return {code: process.exitCode, printed: lines.join('\n').trim()};
  } finally {
    process.exitCode = before;
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
}
