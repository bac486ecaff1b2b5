/** A problem that the service has found in a query. */
export interface ReportedProblem {
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

/** Finds the part of a query that an error of the service refers to, from the line, the column and the underline in it. */
export function placeOfError(source: string, message: string): ReportedProblem | undefined {
  const [, line, column] = /\(line (\d+), column (\d+)\)/.exec(message) ?? [];
  if (line === undefined || column === undefined) return undefined;
  const before = source.split('\n').slice(0, Number(line) - 1);
  const start = before.join('\n').length + (before.length > 0 ? 1 : 0) + Number(column) - 1;
  const width = /\^+/.exec(message)?.[0].length ?? 1;
  const end = Math.min(source.length, start + width);
  const problem = message.split('\n')[0]!.replace(/ \(line \d+, column \d+\)/, '');
  return { start: Math.min(start, end), end, message: problem };
}
