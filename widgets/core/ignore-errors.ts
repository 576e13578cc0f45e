/** Runs an optional task that a browser may block, such as writing to storage or sending a beacon. */
export function ignoreErrors(task: () => unknown): void {
  try {
    task();
  } catch {
    // Nothing depends on the task.
  }
}
