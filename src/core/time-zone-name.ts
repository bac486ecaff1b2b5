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

/** The name for `Intl` of a zone, which may be an abbreviation. */
export function timeZoneName(name: string): string {
  return SHORT_NAMES.get(name.toUpperCase()) ?? name;
}
