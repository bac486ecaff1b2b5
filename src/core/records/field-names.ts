/** The fields of all rows, in the order in which they first appear. */
export function fieldNames(rows: readonly object[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}
