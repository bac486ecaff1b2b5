import { memberName, membersOf } from './json-text.ts';

/**
 * Renames attributes that would override a tag on the service: `#service` becomes `_#service` if `service` is a tag. If
 * the event has a field of that name, another underscore is added. Everything else stays unchanged.
 *
 * @param eventText JSON of an event.
 */
export function renameOverrides(eventText: string, isTag: (name: string) => boolean): string {
  if (!hasHashName(eventText)) return eventText;
  let result = '';
  let from = 0;
  for (const member of membersOf(eventText)) {
    if (memberName(member) !== 'attributes' || !member.value.startsWith('{')) continue;
    result += eventText.slice(from, member.valueStart) + renameMembers(member.value, isTag);
    from = member.valueStart + member.value.length;
  }
  return result + eventText.slice(from);
}

/** Searches for a single character first, which is fastest. */
function hasHashName(text: string): boolean {
  return (text.includes('#') && text.includes('"#')) || text.includes('\\u0023');
}

function renameMembers(text: string, isTag: (name: string) => boolean): string {
  const members = [...membersOf(text)].map((member) => ({ ...member, name: memberName(member) }));
  const names = new Set(members.map(({ name }) => name));
  let result = '';
  let from = 0;
  for (const { name, nameStart } of members) {
    if (!name.startsWith('#') || !isTag(name.slice(1))) continue;
    let prefix = '_';
    while (names.has(prefix + name)) prefix += '_';
    result += text.slice(from, nameStart + 1) + prefix;
    from = nameStart + 1;
  }
  return result + text.slice(from);
}
