/**
 * The number of insertions, deletions and substitutions between two strings; `undefined` above `maxDistance`.
 *
 * Computes only matrix cells within `maxDistance` of the diagonal, so the time is linear in the length of the strings.
 *
 * @param transpositions whether a swap of two neighboring characters counts as one edit
 */
export function editDistance(a: string, b: string, maxDistance: number, transpositions = true) {
  if (Math.abs(a.length - b.length) > maxDistance) return undefined;
  const tooFar = maxDistance + 1;
  const rows = Array.from({ length: 3 }, () => new Array<number>(b.length + 2).fill(tooFar));
  for (let column = 0; column <= Math.min(b.length, maxDistance); column += 1) rows[0]![column] = column;
  let wasTooFar = false;
  for (let row = 1; row <= a.length; row += 1) {
    const current = rows[row % 3]!;
    const last = rows[(row + 2) % 3]!;
    const beforeLast = rows[(row + 1) % 3]!;
    const first = Math.max(1, row - maxDistance);
    const end = Math.min(b.length, row + maxDistance);
    // Overwrites cells of three rows ago.
    current[first - 1] = row <= maxDistance ? row : tooFar;
    current[end + 1] = tooFar;
    let smallest = current[first - 1]!;
    for (let column = first; column <= end; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      let cost = Math.min(last[column - 1]! + (isSame ? 0 : 1), last[column]! + 1, current[column - 1]! + 1);
      if (transpositions && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, beforeLast[column - 2]! + 1);
      }
      current[column] = cost;
      smallest = Math.min(smallest, cost);
    }
    // A transposition refers to two rows back, so a single row above the limit is not conclusive.
    if (smallest > maxDistance && (wasTooFar || !transpositions)) return undefined;
    wasTooFar = smallest > maxDistance;
  }
  const distance = rows[a.length % 3]![b.length]!;
  return distance <= maxDistance ? distance : undefined;
}
