import type * as PageFile from '../bundles/page.ts';

/** Runs a task with the file about the page around the elements. Nothing depends on it: undefined if it fails. */
export const usePage = <T>(task: (file: typeof PageFile) => T): Promise<T | undefined> =>
  import('../bundles/page.ts').then(task).catch(() => undefined);

/** Whether the page's address may name a campaign: `utm_source`, `gclid`, `gbraid`, `client_reference_id`, … */
export const mayHaveCampaign = (): boolean => /utm_|id=/i.test(location.search);
