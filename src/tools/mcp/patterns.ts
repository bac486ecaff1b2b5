import { MAX_PATTERN_LENGTH } from '../../core/records/message-pattern.ts';
import type { Row } from '../output/row-format.ts';
import { tabTable } from '../output/tab-table.ts';
import { modelLine } from '../output/terminal-text.ts';
import { isoTime } from '../output/time-text.ts';
import type { Answer } from './answer.ts';
import type { EventSearch } from './arguments.ts';
import type { Logs } from './log-source.ts';
import { maskTokens } from './mask-tokens.ts';
import { LEVEL_AND_SERVICE, MESSAGE_PATTERN, NONE, withSteps } from './record-steps.ts';
import type { CallLogs } from './tool.ts';

const MAX_PATTERNS = 200;

export interface PatternSearch extends EventSearch {
  readonly limit: number;
  /** @default '_count' */
  readonly order?: '_count' | '_first';
}

/** Events that share a pattern, a level and a service: most frequent first, or those that occurred last first. */
export async function findPatterns(
  { client, secrets }: Logs,
  { filter, range, limit, order = '_count', signal }: PatternSearch,
): Promise<Row[]> {
  const query = withSteps(
    filter,
    LEVEL_AND_SERVICE,
    MESSAGE_PATTERN,
    'groupBy([_level, _service, _pattern], function=[count(), min(@timestamp, as=_first), max(@timestamp, as=_last), selectLast([@id, _text])], limit=max)',
    `sort(${order}, limit=${limit})`,
  );
  const rows = await client.query<Row>(query, { ...range, signal });
  return rows.map((row) => {
    const { length } = String(row._text ?? '');
    const shown = `${row._text ?? ''}${length === MAX_PATTERN_LENGTH ? '…' : ''}`;
    const text = maskTokens(shown, secrets);
    // The digits of a token count as variable parts, so the pattern has its remaining characters.
    return text === shown ? row : { ...row, _text: text, _pattern: text };
  });
}

const COLUMNS = ['count', 'level', 'service', 'first', 'last', 'ref', 'pattern', 'newest message'];

/** Adds patterns to a response. @returns how many fit. */
export function showPatterns(
  answer: Answer,
  logs: CallLogs,
  patterns: readonly Row[],
  room = answer.room,
): number {
  const hasService = patterns.some(({ _service }) => _service !== NONE);
  const rows = patterns.map((row) => {
    const [pattern, text] = [String(row._pattern ?? ''), String(row._text ?? '')];
    const cells = [
      String(row._count),
      String(row._level),
      String(row._service),
      isoTime(Number(row._first)),
      isoTime(Number(row._last)),
      newestRef(logs, row),
      pattern,
      pattern === text ? '' : text,
    ];
    return cells.map(modelLine).filter((_, index) => hasService || COLUMNS[index] !== 'service');
  });
  const columns = COLUMNS.filter((name) => hasService || name !== 'service');
  const table = tabTable(columns, rows, Math.min(room, answer.room) - 1);
  answer.log(table.text);
  return table.shown;
}

/** The short name of the newest event of a pattern. */
export function newestRef({ refOf }: CallLogs, { '@id': id, _last: last }: Row): string {
  return refOf({ '@id': id, '@timestamp': Number(last) });
}

/** Adds all patterns to a response. @returns whether there are any */
export async function showAllPatterns(answer: Answer, logs: CallLogs, search: EventSearch): Promise<boolean> {
  const patterns = await findPatterns(logs, { ...search, limit: MAX_PATTERNS });
  if (patterns.length === 0) return false;
  const shown = showPatterns(answer, logs, patterns);
  const more = patterns.length >= MAX_PATTERNS ? ' or more' : '';
  answer.hint(`${shown} of ${patterns.length}${more} patterns, most frequent first.`);
  if (shown < patterns.length) answer.hint('For the rest, pass a narrower "query", or raise "maxTokens".');
  answer.hint('To read what led to the newest event of a pattern, call "context" with its ref as "id".');
  return true;
}
