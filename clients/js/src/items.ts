/** Lists that are read page by page while they are iterated. */

interface Page<T> {
  results: T[];
  next: string | null;
}

/** The items of a list: `for await (const item of items)`, or `await items.toArray()`. Each pass reads the list again. */
export class Items<T> implements AsyncIterable<T> {
  constructor(
    private readonly most: number | undefined,
    private readonly page: (query: Record<string, string>) => Promise<Page<T>>,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let given = 0;
    let query: Record<string, string> | undefined = { limit: String(Math.max(1, Math.min(this.most ?? 200, 200))) };
    while (query !== undefined) {
      const page: Page<T> = await this.page(query);
      for (const item of page.results) {
        if (this.most !== undefined && given >= this.most) return;
        given += 1;
        yield item;
      }
      query = this.most !== undefined && given >= this.most ? undefined : nextQuery(page.next);
    }
  }

  /** Read them all. */
  async toArray(): Promise<T[]> {
    const items: T[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}

/** Return the query of the next page. Only that: the host of a link may be one that only the server knows. */
function nextQuery(next: string | null): Record<string, string> | undefined {
  return next === null ? undefined : Object.fromEntries(new URL(next, "http://localhost").searchParams);
}
