import type {HandoffLink} from '../purchase/handoff-link.ts';

/** Address that opens this page with the same order elsewhere. Whatever the page has in its own fragment stays. */
export function handoffAddress(link: HandoffLink): string {
  const fields = new URLSearchParams({...link});
  return location.href + (location.hash ? '&' : location.href.endsWith('#') ? '' : '#') + fields;
}
