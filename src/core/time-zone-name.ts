/** Abbreviations that the service supports. `Intl` does not know `Z`, and takes `BST` for another zone. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['Z', 'UTC'],
  ['ZULU', 'UTC'],
  ['UCT', 'UTC'],
  ['PST', 'America/Los_Angeles'],
  ['CST', 'America/Chicago'],
  ['AST', 'America/Anchorage'],
  ['CNT', 'America/St_Johns'],
  ['BST', 'Europe/London'],
  ['JST', 'Asia/Tokyo'],
  ['IST', 'Asia/Kolkata'],
  ['AET', 'Australia/Sydney'],
]);

/** The name for `Intl` of a zone, which may be an abbreviation, or an offset in hours, which Node 20 does not know. */
export function timeZoneName(name: string): string {
  const [, sign, hours = ''] = /^([+-])(\d\d?)(?::?00)?$/.exec(name) ?? [];
  // These names have the opposite sign.
  if (sign !== undefined) return `Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}`;
  return SHORT_NAMES.get(name.toUpperCase()) ?? name;
}
