/** All that an iterable gives. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The ids of the first `count` events; then it leaves. */
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
