import { usageFailure } from '../output/command-failure.ts';
import type { Flag, FlagsOf } from '../output/flag.ts';
import { fileText, namedValue, wholeNumber } from '../output/flag-values.ts';
import type { OutputOptions } from '../output/output-flags.ts';
import type { ConnectionFlags } from '../settings/connection-flags.ts';
import type { GATE_FLAGS } from './gate.ts';
import type { TimeFlags } from './time-flags.ts';

export interface QueryFlags
  extends ConnectionFlags,
    OutputOptions,
    TimeFlags,
    FlagsOf<typeof GATE_FLAGS>,
    FlagsOf<typeof RUN_FLAGS> {
  readonly file?: string;
  readonly stdin?: boolean;
  readonly live?: boolean;
  readonly follow?: boolean;
  readonly limit?: number;
  /** The query without `explain:asTable()`, which was added to it. */
  readonly explained?: string;
}

/** The flags for the parameters of a query, and for its limits without a server. */
export const RUN_FLAGS = [
  ['--param <name=value>', 'Value for the ?name parameter in the query. Repeatable.', namedValue],
  ['--lookup <path>', 'Without a server, a lookup file that the query names. Repeatable.', fileText],
  [
    '--max-memory <MiB>',
    'Without a server, memory limit for queries that need all events at once. Default: 512.',
    wholeNumber(1, 65_536),
  ],
  [
    '--max-cpu <seconds>',
    'Without a server, CPU time limit of the query, beyond 1 ms per line. Default: 60.',
    wholeNumber(1, 86_400),
  ],
] as const satisfies readonly Flag[];

/** @throws CommandFailure without a query */
export function requireQuery(text: string | undefined, { file }: { readonly file?: string }): void {
  if (text !== undefined || file !== undefined) return;
  throw usageFailure('no query given. Pass it as an argument, or pass --file <path> ("-" for stdin).');
}
