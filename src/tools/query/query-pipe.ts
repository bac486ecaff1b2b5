import { countText } from '../../core/count-text.ts';
import { QueryTextError, resultNumbers } from '../../language/index.ts';
import { LineQuery, type LineQueryOptions } from '../../server/line-query/index.ts';
import { CommandFailure, unreadable, usageFailure } from '../output/command-failure.ts';
import { interruptSignal, throwUnlessCtrlC } from '../output/interruption.ts';
import { RowWriter } from '../output/row-writer.ts';
import { endlessOutputSignal } from '../output/standard-output.ts';
import { localTimeZone } from '../output/time-text.ts';
import { SMALL_YOUNG_GENERATION, setV8Flags } from '../settings/v8-flags.ts';
import { Gate } from './gate.ts';
import { intervalOf } from './interval.ts';
import type { QueryFlags } from './query-flags.ts';
import type { Lines } from './query-input.ts';
import { Sample } from './sample.ts';

const MIB = 1024 * 1024;
/** A query is short, so V8 optimizes only what runs in most of it. */
const LATE_OPTIMIZATION = '--interrupt-budget=500000';

/** Runs a query on the lines of stdin or a file without a server. There is nothing to clean up on Ctrl-C. */
export async function runQueryOnLines(
  { query: queryString, lines }: { readonly query: string; readonly lines: Lines },
  flags: QueryFlags,
): Promise<void> {
  const writer = new RowWriter(flags);
  const gate = new Gate(flags);
  if (lines.name === 'stdin' && process.stdin.isTTY === true) {
    throw usageFailure(
      '--stdin reads from a pipe, and stdin is a terminal. Example: logclient query --stdin … < app.log',
    );
  }
  setV8Flags(LATE_OPTIMIZATION, SMALL_YOUNG_GENERATION);
  const query = prepare(queryString, lines, flags);
  const room = flags.limit ?? Number.POSITIVE_INFINITY;
  // If the reader closes the pipe, stop even when there is nothing to write.
  const closed = endlessOutputSignal();
  const stopped = lines.isFollowed ? interruptSignal() : undefined;
  const opened = lines.open(stopped === undefined ? closed : AbortSignal.any([closed, stopped]));
  const sample = new Sample();
  let begun: Promise<void> | undefined;
  const begin = (): Promise<void> =>
    (begun ??= writer.begin({
      isAggregate: query.isAggregate,
      columns: query.columns,
      numbers: resultNumbers(queryString),
      isEndless: lines.isFollowed,
    }));
  let hasWarned = false;
  const warn = (): void => {
    for (const warning of hasWarned ? [] : query.warnings) writer.surface.warn(warning);
    hasWarned = query.warnings.length > 0;
  };
  try {
    for await (const rows of query.run(sample.of(opened))) {
      await begin();
      const first = rows.slice(0, room - writer.written);
      gate.see(first);
      await writer.write(first);
      if (lines.isFollowed) warn();
      if (writer.written >= room) break;
    }
  } catch (error) {
    closed.throwIfAborted();
    throw asPipeFailure(error, lines);
  }
  closed.throwIfAborted();
  if (stopped !== undefined) throwUnlessCtrlC(stopped);
  await begin();
  await writer.end();
  if (writer.isForPeople && writer.written === room && !query.isAggregate)
    writer.surface.warn(
      `the first ${countText(room, 'event')}. For the last, end the query with tail(${room}).`,
    );
  // A condition on no lines at all checks nothing.
  const hasEmptyGroup = gate.hasEmptyGroup(query.isAggregate ? query.columns : []);
  if (gate.needsHelp(query.isAggregate, writer.isForPeople || query.lines === 0, hasEmptyGroup)) {
    const options = optionsOf(lines, flags);
    await sample.explain(flags.explained ?? queryString, options, query.lines, writer.surface);
  }
  warn();
  gate.check(query.isAggregate);
}

function prepare(queryString: string, lines: Lines, flags: QueryFlags): LineQuery {
  try {
    const query = new LineQuery(queryString, optionsOf(lines, flags));
    if (!lines.isFollowed || (!query.isAggregate && query.whyHeld === undefined)) return query;
  } catch (error) {
    throw asPipeFailure(error);
  }
  throw usageFailure(
    '--follow shows events as they are appended, and this query has a result only at the end. Use "logclient view --follow".',
  );
}

function optionsOf({ modified, tags }: Lines, flags: QueryFlags): LineQueryOptions {
  return {
    ...intervalOf(flags),
    modified,
    tags,
    arguments: flags.param,
    files: flags.lookup,
    get timeZone() {
      return flags.timezone ?? localTimeZone();
    },
    maxBytes: flags.maxMemory === undefined ? undefined : flags.maxMemory * MIB,
    maxCpuMs: flags.maxCpu === undefined ? undefined : flags.maxCpu * 1000,
  };
}

function asPipeFailure(error: unknown, lines?: Lines): unknown {
  if (error instanceof QueryTextError) {
    const hint = error.message.includes('no lookup file') ? '\nPass the path of the file with --lookup.' : '';
    return new CommandFailure(`the query is invalid. ${error.message}\n${error.excerpt}${hint}`);
  }
  if (!(error instanceof Error)) return error;
  if ((error as { code?: unknown }).code === 'LOG_TOO_LARGE')
    return new CommandFailure(`${error.message} Pass --from and --to, or raise --max-memory.`);
  if (error.name === 'QueryMemoryError')
    return new CommandFailure(
      'the query exceeds its memory limit. Filter more, group by fewer values, or raise --max-memory.',
    );
  if (error.name === 'QueryTimeoutError')
    return new CommandFailure(`${error.message} Filter more, or raise --max-cpu.`);
  if (error.message.startsWith('The query was canceled: ')) return new CommandFailure(error.message);
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || lines === undefined ? error : usageFailure(unreadable(lines.name, error));
}
