import { distance } from 'fastest-levenshtein';

/** The candidate most similar to `name`, if any is similar enough. */
export function nearestName(
  name: string,
  candidates: readonly string[],
  // Two edits turn any short word into another, as one edit does with a letter.
  allowed = name.length < 4 ? Math.min(1, name.length - 1) : Math.max(2, Math.floor(name.length / 3)),
): string | undefined {
  const edits = (candidate: string): number => editsBetween(name.toLowerCase(), candidate.toLowerCase());
  const similar = candidates.filter((candidate) => edits(candidate) <= allowed);
  return similar.sort((one, other) => edits(one) - edits(other))[0];
}

/** `Did you mean "x"?` for the candidate most similar to `name`, or `otherwise`. */
export function meantName(name: string, candidates: readonly string[], otherwise = ''): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? otherwise : `Did you mean "${nearest}"?`;
}

/** Two letters in the wrong order count as one edit. */
function editsBetween(a: string, b: string): number {
  const edits = distance(a, b);
  return edits === 2 && [...a].sort().join() === [...b].sort().join() ? 1 : edits;
}
