/** All items of an iterable. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The IDs of the first `count` events; then closes the iterable. */
export async function takeIds(
  events: AsyncIterable<Readonly<Record<string, unknown>>>,
  count: number,
): Promise<unknown[]> {
  const ids: unknown[] = [];
  for await (const event of events) {
    ids.push(event['@id']);
    if (ids.length === count) break;
  }
  return ids;
}
