/** A stored event: flat, only own properties, all strings; `@timestamp` is digits and the first property. */
export type StoredEvent = Record<string, string>;

export function timestampOf(event: StoredEvent): number {
  return Number(event['@timestamp']);
}

/** The size of an event for `maxBytes`: the length of its names and values. */
export function weightOf(event: StoredEvent): number {
  let weight = 0;
  for (const name in event) weight += name.length + event[name]!.length;
  return weight;
}

/**
 * An event as one line of JSON, with `@timestamp` as a number like the service's.
 *
 * Also accepts rows of queries, whose `@timestamp` may be missing, in another position, or not a number.
 */
export function renderEvent(event: StoredEvent): string {
  const text = JSON.stringify(event);
  const timestamp = event['@timestamp'];
  const time = shownTime(event);
  if (time === undefined) return text;
  const member = `"@timestamp":"${timestamp}"`;
  if (text.startsWith(member, 1)) return `{"@timestamp":${time}${text.slice(1 + member.length)}`;
  return JSON.stringify({ ...event, '@timestamp': time });
}

/** The `@timestamp` of a row as the number in responses; `undefined` if a number can't represent it exactly. */
export function shownTime({ '@timestamp': timestamp }: StoredEvent): number | undefined {
  if (timestamp === undefined || !/^\d{1,16}$/.test(timestamp)) return undefined;
  const time = Number(timestamp);
  return Number.isSafeInteger(time) ? time : undefined;
}
