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

/** The first candidate that starts or ends with `name`, or the reverse: `repository` for `repo`, `res.status` for `status`. */
function relatedName(name: string, candidates: readonly string[]): string | undefined {
  return candidates.find((candidate) => {
    const [one, other] = [name.toLowerCase(), candidate.toLowerCase()] as const;
    const [part, whole] = one.length < other.length ? [one, other] : [other, one];
    return part.length > 2 && (whole.startsWith(part) || whole.endsWith(part));
  });
}

/** `Did you mean "x"?` for the candidate most similar to `name`, or else a longer or shorter form of it; or `otherwise`. */
export function meantName(name: string, candidates: readonly string[], otherwise = ''): string {
  const nearest = nearestName(name, candidates) ?? relatedName(name, candidates);
  return nearest === undefined ? otherwise : `Did you mean "${nearest}"?`;
}
