import * as z from 'zod/v4';
import { MAX_PATTERN_LENGTH } from '../../../core/records/message-pattern.ts';
import { levelName } from '../../../core/records/severity.ts';
import type { Row } from '../../output/row-format.ts';
import { tabTable } from '../../output/tab-table.ts';
import { modelLine } from '../../output/terminal-text.ts';
import { isoTime } from '../../output/time-text.ts';
import { Answer } from '../answer.ts';
import { ARGUMENTS, rangeOf } from '../arguments.ts';
import { checkBeforeRun, requireFilter } from '../check-query.ts';
import type { Logs } from '../log-source.ts';
import { maskTokens } from '../mask-tokens.ts';
import { noMatchHints } from '../no-match.ts';
import { LEVEL_AND_SERVICE, MESSAGE_PATTERN, NONE, withSteps } from '../record-steps.ts';
import type { RowRefs } from '../row-refs.ts';
import { defineTool } from '../tool.ts';

const { query, start, end, repository, maxTokens } = ARGUMENTS;

const MAX_PATTERNS = 200;

export const patternsTool = defineTool({
  name: 'patterns',
  title: 'Group similar messages',
  description:
    'Groups events whose messages differ only in numbers, IDs and quoted text, most frequent first, with the count, the time of the first and the last one, and the newest message as a sample. Good for finding what is unusual among many events.',
  input: z.strictObject({ query, start, end, repository, maxTokens }),
  run: (args, { source, refs }, signal) =>
    source.use(args.repository, async (logs) => {
      requireFilter(args.query ?? '');
      const warnings = checkBeforeRun(args.query ?? '', logs);
      const range = rangeOf(args, logs);
      const patterns = await findPatterns(logs, { filter: args.query, range, limit: MAX_PATTERNS, signal });
      const answer = new Answer(args.maxTokens);
      for (const warning of warnings) answer.say(warning);
      if (patterns.length === 0) {
        answer.say(`No events match (${logs.place}).`);
        for (const hint of await noMatchHints(logs, args.query ?? '', range, signal)) answer.hint(hint);
        return answer.text;
      }
      const shown = showPatterns(answer, patterns, { repository: logs.repository, refs, room: answer.room });
      const more = patterns.length >= MAX_PATTERNS ? ' or more' : '';
      answer.hint(`${shown} of ${patterns.length}${more} patterns, most frequent first.`);
      if (shown < patterns.length)
        answer.hint('For the rest, pass a narrower "query", or raise "maxTokens".');
      answer.hint('To read what happened around the newest event of a pattern, call "context" with its ref.');
      return answer.text;
    }),
});

export interface EventSearch {
  readonly filter: string | undefined;
  readonly range: ReturnType<typeof rangeOf>;
  readonly limit: number;
  /** @default '_count' */
  readonly order?: '_count' | '_first';
  readonly signal: AbortSignal;
}

/** Events that share a pattern, a level and a service: most frequent first, or those that occurred last first. */
export async function findPatterns(
  { client, secrets }: Logs,
  { filter, range, limit, order = '_count', signal }: EventSearch,
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
  patterns: readonly Row[],
  { repository, refs, room }: { readonly repository: string; readonly refs: RowRefs; readonly room: number },
): number {
  const hasService = patterns.some(({ _service }) => _service !== NONE);
  const rows = patterns.map((row) => {
    const [pattern, text] = [String(row._pattern ?? ''), String(row._text ?? '')];
    const ref = refs.of({ '@id': row['@id'], '@timestamp': Number(row._last) }, repository);
    const cells = [
      String(row._count),
      levelName(String(row._level)),
      String(row._service),
      isoTime(Number(row._first)),
      isoTime(Number(row._last)),
      ref,
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
