/** One page of results. */
export interface Page {
  readonly items: readonly unknown[];
  /** Cursor of the next page. */
  readonly next_cursor: string | null;
  /**
   * Whether the next page already has items. Only the list of events has this field, because its last page has a
   * `next_cursor` too.
   */
  readonly more?: boolean;
}

/**
 * A search or list. It sends no request until you read it, in one of three ways:
 *
 * ```ts
 * for await (const item of search) …             // every item, each exactly once
 * for await (const page of search.pages()) …     // page by page, with `total` and `next_cursor`
 * const {items, next_cursor} = await search;     // one page
 * ```
 *
 * Each of these ways starts at the cursor in the input, or at the first page if the input has no cursor. Each page is a
 * separate call with a separate timeout and separate retries. An `async` function that returns a search resolves to one
 * page, because `await` fetches that page.
 */
export class Search<P extends Page> implements AsyncIterable<P['items'][number]>, PromiseLike<P> {
  readonly #fetchPage: (cursor: string | undefined) => Promise<P>;

  /** @param fetchPage - Fetches the page at a cursor, or the first page if the cursor is undefined. */
  constructor(fetchPage: (cursor: string | undefined) => Promise<P>) {
    this.#fetchPage = fetchPage;
  }

  /** Fetches the page at the cursor in the input, or the first page if the input has no cursor. */
  // oxlint-disable-next-line unicorn/no-thenable -- Awaiting a search fetches its first page.
  then<A = P, B = never>(
    onFulfilled?: ((page: P) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#fetchPage(undefined).then(onFulfilled, onRejected);
  }

  /** Fetches one page after another, up to the last page. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: P = await this.#fetchPage(cursor);
      yield page;
      // If the `next_cursor` of a page were the cursor of the same page, reading would never end.
      cursor = page.more === false || page.next_cursor === cursor ? null : page.next_cursor;
    }
  }

  /**
   * Returns one item after another. If the platform books money between two calls, the pages overlap. So this method
   * skips an item whose `id` it has already returned.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<P['items'][number], void, undefined> {
    const seen = new Set<unknown>();
    for await (const {items} of this.pages()) {
      for (const item of items) {
        const {id} = item as {readonly id?: unknown};
        if (id !== undefined && seen.has(id)) continue;
        seen.add(id);
        yield item as Awaited<P['items'][number]>;
      }
    }
  }
}
