import { editDistance } from './edit-distance.ts';

/** The candidate most similar to `name`, if any is similar enough. */
export function nearestName(
  name: string,
  candidates: readonly string[],
  // Two edits turn any short word into another, as one edit does with a letter.
  allowed = name.length < 4 ? Math.min(1, name.length - 1) : Math.max(2, Math.floor(name.length / 3)),
): string | undefined {
  const similar = candidates.flatMap((candidate) => {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase(), allowed);
    return edits === undefined ? [] : [{ candidate, edits }];
  });
  return similar.sort((one, other) => one.edits - other.edits)[0]?.candidate;
}

/** The field that a name misspells by one edit. A tag, a plural and another number are other fields. */
export function misspelledField(name: string, fields: readonly string[]): string | undefined {
  const bare = (field: string): string => field.replace(/^#|\d|s$/g, '');
  const others = fields.filter((field) => bare(field) !== bare(name));
  return name.length < 4 ? undefined : nearestName(name, others, 1);
}

/** `Did you mean "x"?` for the candidate most similar to `name`, or `otherwise`. */
export function meantName(name: string, candidates: readonly string[], otherwise = ''): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? otherwise : `Did you mean "${nearest}"?`;
}
