type Row = Readonly<Record<string, string | undefined>>;

/** Rows as aligned columns. A single value is printed unchanged, with its newlines. */
export function rowsText(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap(Object.keys))];
  const only = rows.length === 1 && names.length === 1 ? (rows[0]![names[0]!] ?? '') : '';
  if (only.includes('\n')) return `${names[0]}\n${only}`;
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, i) => Math.max(...lines.map((cells) => cells[i]!.length)));
  const aligned = lines.map((cells) =>
    cells
      .map((text, i) => text.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  );
  return aligned.join('\n');
}

/** Quotes a value if its spaces or control characters would be invisible. */
function cell(value = ''): string {
  const isPlain = value === value.trim() && !/\p{Cc}/u.test(value);
  return isPlain ? value : JSON.stringify(value);
}
