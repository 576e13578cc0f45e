/**
 * Marks what a shopper types, and the numbers, codes, names and accounts that an element shows, so that session recorders
 * leave them out without settings of the page: rrweb, Sentry, PostHog and FullStory by the classes, Clarity and Hotjar
 * by the attributes. Call this function in the task that renders, because recorders read the page after it.
 */
export function markPrivate(root: ParentNode): void {
  for (const {classList, dataset} of root.querySelectorAll<HTMLElement>(
    ':is(input,textarea,select,dd,bdi,.code,.number,.qr,[data-private]):not(.rr-block)',
  )) {
    classList.add('rr-block', 'sentry-block', 'ph-no-capture', 'fs-exclude');
    dataset['clarityMask'] = dataset['hjSuppress'] = 'true';
  }
}
