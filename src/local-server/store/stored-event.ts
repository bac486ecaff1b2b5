/** An event at rest: flat, own properties, text throughout; `@timestamp` is digits and the first property. */
export type StoredEvent = Record<string, string>;

export function timestampOf(event: StoredEvent): number {
  return Number(event['@timestamp']);
}

/** What an event weighs against `maxBytes`: its names and values as text. */
export function weightOf(event: StoredEvent): number {
  let weight = 0;
  for (const name in event) weight += name.length + event[name]!.length;
  return weight;
}

/**
 * An event as one line of JSON, `@timestamp` as the number that the service makes of it.
 *
 * Rows of a query come here too: their `@timestamp` may be missing, in another place, or not a number at all.
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

/** The `@timestamp` of a row as the number that answers have; `undefined` where it is not one that stays exact. */
export function shownTime({ '@timestamp': timestamp }: StoredEvent): number | undefined {
  if (timestamp === undefined || !/^\d{1,16}$/.test(timestamp)) return undefined;
  const time = Number(timestamp);
  return Number.isSafeInteger(time) ? time : undefined;
}
