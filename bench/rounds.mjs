// Measures every subject once per round, so that load peaks on the machine affect all alike.

/**
 * @template Subject, Result
 * @param {readonly Subject[]} subjects
 * @param {number} rounds
 * @param {(subject: Subject) => Promise<Result>} measure
 * @returns {Promise<{subject: Subject, results: Result[], error?: Error}[]>} in the order of the subjects; a subject
 * that fails is not measured again
 */
export async function inTurns(subjects, rounds, measure) {
  const rows = subjects.map((subject) => ({ subject, results: [] }));
  for (let round = 0; round < rounds; round++) {
    for (const row of rows) {
      if (row.error !== undefined) continue;
      try {
        row.results.push(await measure(row.subject));
      } catch (error) {
        row.error = error;
      }
    }
  }
  return rows;
}

export function median(numbers) {
  const known = numbers.filter((each) => each !== undefined).sort((a, b) => a - b);
  if (known.length === 0) return undefined;
  const middle = known.length >> 1;
  return known.length % 2 === 1 ? known[middle] : (known[middle - 1] + known[middle]) / 2;
}

/**
 * The ratio of a member to that of others, as the median of the ratios per round.
 * A load peak affects both sides of a round, so this is more accurate than a ratio of medians.
 * @param {readonly object[]} results by round
 * @param {readonly object[]} [others] by round
 * @param {string} name of the member
 */
export function medianRatio(results, others, name) {
  return median(results.map((each, round) => ratio(each[name], others?.[round]?.[name])));
}

function ratio(number, other) {
  return number === undefined || !(other > 0) ? undefined : number / other;
}

/** The median of each numeric member. */
export function medians(results) {
  const [first = {}] = results;
  const names = Object.keys(first).filter((name) => results.some((each) => typeof each[name] === 'number'));
  return Object.fromEntries(names.map((name) => [name, median(results.map((each) => each[name]))]));
}
