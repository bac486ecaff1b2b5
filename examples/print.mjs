// Prints query results as tables and bar charts.

export function heading(text) {
  console.log(`\n── ${text} ${'─'.repeat(Math.max(0, 74 - text.length))}\n`);
}

/** @param {number} timestamp epoch milliseconds */
export function clockTime(timestamp) {
  return new Date(Number(timestamp)).toISOString().slice(11, 23);
}

export function table(rows) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => columns.map((column) => cell(column, row[column])));
  const widths = columns.map((column, i) => Math.max(column.length, ...cells.map((line) => line[i].length)));
  const print = (line) =>
    console.log(`  ${line.map((text, i) => text.padEnd(widths[i])).join('  ')}`.trimEnd());
  print(columns);
  print(widths.map((width) => '─'.repeat(width)));
  for (const line of cells) print(line);
}

export function bars(rows) {
  const counts = rows.map((row) => Number(row._count));
  const most = Math.max(...counts, 1);
  const first = counts.findIndex((count) => count > 0);
  const last = counts.findLastIndex((count) => count > 0);
  for (const [i, row] of rows.entries()) {
    if (i < first || i > last) continue;
    const bar = '█'.repeat(Math.round((counts[i] / most) * 50));
    console.log(`  ${clockTime(row._bucket).slice(0, 8)}  ${bar} ${counts[i]}`);
  }
}

function cell(column, value) {
  if (value === undefined) return '';
  if (column === '@timestamp') return clockTime(value);
  return /^\d+\.\d{3,}$/.test(value) ? Number(value).toFixed(2) : String(value);
}
