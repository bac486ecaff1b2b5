import { distance } from 'fastest-levenshtein';

/** The candidate most similar to `name`, if any is similar enough. */
export function nearestName(
  name: string,
  candidates: readonly string[],
  // Two edits turn any short word into another.
  allowed = name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3)),
): string | undefined {
  let nearest: string | undefined;
  let smallest = allowed + 1;
  for (const candidate of candidates) {
    const edits = editsBetween(name.toLowerCase(), candidate.toLowerCase());
    if (edits < smallest) {
      smallest = edits;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Two letters in the wrong order count as one edit. */
function editsBetween(a: string, b: string): number {
  const edits = distance(a, b);
  return edits === 2 && [...a].sort().join() === [...b].sort().join() ? 1 : edits;
}
