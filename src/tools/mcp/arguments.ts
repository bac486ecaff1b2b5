import * as z from 'zod/v4';
import { shortenText } from '../../core/shorten-text.ts';
import { timeAt } from '../output/flag-values.ts';
import { isReversed } from '../query/interval.ts';
import { BYTES_PER_TOKEN } from './answer.ts';
import type { Logs } from './log-source.ts';

/** The start of searches in a service. */
export const DEFAULT_START = '24h';
const DEFAULT_MAX_TOKENS = 4_000;
/** Below this, the sentences around the log content have no place. */
const MIN_TOKENS = 300;
/** Common clients reject results of more than 25,000 tokens. */
const MAX_TOKENS = 20_000;

const time = z.union([z.string(), z.number()]).optional();

/** Arguments that several tools have. */
export const ARGUMENTS = {
  query: z
    .string()
    .optional()
    .describe('Query that only filters, such as "level=error #service=shop". Default: all events.'),
  start: time.describe(
    `Start of the time range: "15m", "2h", "7d" (ago), ISO 8601, or epoch ms. Default: ${DEFAULT_START} ago, or all of a file.`,
  ),
  end: time.describe('End of the time range, in the same formats. Default: now.'),
  repository: z.string().min(1).optional().describe('Another repository or view of the same service.'),
  maxTokens: z
    .number()
    .int()
    .min(MIN_TOKENS)
    .max(MAX_TOKENS)
    .default(DEFAULT_MAX_TOKENS)
    .describe(`Maximum size of the response, in tokens of ${BYTES_PER_TOKEN} bytes.`),
};

type Time = z.infer<typeof time>;

/** What a tool searches. */
export interface EventSearch {
  readonly filter: string | undefined;
  readonly range: ReturnType<typeof rangeOf>;
  readonly signal: AbortSignal;
}

/** The time range of a search. @throws Error for a time in another format. */
export function rangeOf(
  { start, end }: { readonly start?: Time; readonly end?: Time },
  { defaultStart, defaultEnd }: Logs,
): { readonly start: string | number; readonly end?: string | number } {
  const range = { start: timeOf('start', start) ?? defaultStart, end: timeOf('end', end) ?? defaultEnd };
  if (isReversed(range)) throw new Error('"start" must be before "end".');
  return { start: range.start, ...(range.end !== undefined && { end: range.end }) };
}

/** What a time must be. */
export const TIME =
  'a relative time such as "15m" or "7d", an ISO 8601 time such as "2026-11-20T10:00:00Z", or epoch milliseconds';

export function timeOf(name: string, value: Time): string | number | undefined {
  const time = value === undefined ? value : timeAt(String(value));
  if (time === undefined && value !== undefined) throw new Error(wrongValue(name, TIME, value));
  return time;
}

/** Says what an argument must be instead of its value. */
export function wrongValue(name: string, expected: string, value: unknown): string {
  return `"${name}" must be ${expected} (got ${shortenText(JSON.stringify(value), 60)}).`;
}
