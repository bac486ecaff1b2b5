type Fields = Readonly<Record<string, unknown>>;

/** Whether two results have the same rows in the same order. */
export function sameRows(left: readonly object[], right: readonly object[]): boolean {
  if (left === right) return true;
  return left.length === right.length && left.every((row, index) => sameRow(row, right[index]!));
}

/** Whether two rows have the same fields with the same values. */
export function sameRow(left: object, right: object): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => {
    const [one, other] = [(left as Fields)[name], (right as Fields)[name]];
    // The service only sends strings and numbers, but test doubles may send other values.
    return one === other || JSON.stringify(one) === JSON.stringify(other);
  });
}
