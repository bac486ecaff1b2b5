import { describeProblem } from '../../language/index.ts';
import type { SearchState } from '../state/search-state.ts';
import { definitionsEnd, fullQuery } from './query-text.ts';

/** A problem that the service has found in a query, with its place in the editor. `text` also shows that place. */
export interface ReportedProblem {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly text: string;
}

/**
 * Finds the part of the query in the editor that an error refers to, from the line, the column and the underline in it.
 * The query of the service also includes filters and levels. @returns `undefined` if the error is in these
 */
export function problemInEditor(state: SearchState, error: string): ReportedProblem | undefined {
  const [position, line, column] = / ?\(line (\d+), column (\d+)\)/.exec(error) ?? [];
  if (position === undefined) return undefined;
  const { query } = state;
  const whole = fullQuery(state);
  const before = whole.split('\n', Number(line) - 1);
  const place = before.reduce((sum, { length }) => sum + length + 1, Number(column) - 1);
  // Conditions are between definitions and the other steps.
  const first = definitionsEnd(query);
  const steps = query.slice(first).trim();
  const isBehind = place >= whole.length - steps.length;
  if (!isBehind && place >= first) return undefined;
  const typed = isBehind ? query.trimEnd().length - whole.length : query.length - query.trimStart().length;
  const start = Math.min(place + typed, query.length);
  const end = Math.min(query.length, start + (/^[ |]*(\^+)$/m.exec(error)?.[1]?.length ?? 1));
  const message = error.split('\n')[0]!.replace(position, '');
  const shown = describeProblem(query, { start, end }, message);
  return { start, end, message, text: `${shown.message}\n${shown.excerpt}` };
}
