import type * as PageFile from '../bundles/page.ts';

/** Runs a task with the file about the page around the elements. Nothing depends on it: undefined if it fails. */
export const usePage = <T>(task: (file: typeof PageFile) => T): Promise<T | undefined> =>
  import('../bundles/page.ts').then(task).catch(() => undefined);
