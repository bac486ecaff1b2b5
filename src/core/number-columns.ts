/** A decimal number, as services write the results of functions. */
const DECIMAL = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/** Whether text is a decimal number. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text) && Number.isFinite(Number(text));
}

/** The row with numbers in these columns. Text that is no decimal number stays text. */
export function withNumbers<Row extends object>(row: Row, columns?: readonly string[]): Row {
  if (columns === undefined) return row;
  const values = row as Readonly<Record<string, unknown>>;
  const found = columns.flatMap((name): readonly (readonly [string, number])[] => {
    const value = Object.hasOwn(row, name) ? values[name] : undefined;
    return typeof value === 'string' && isDecimal(value) ? [[name, Number(value)]] : [];
  });
  return found.length === 0 ? row : { ...row, ...Object.fromEntries(found) };
}
