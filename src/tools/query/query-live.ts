import { countText } from '../../core/count-text.ts';
import type { PollResult } from '../../index.ts';
import { resultNumbers } from '../../language/index.ts';
import { usageFailure } from '../output/command-failure.ts';
import { throwUnlessCtrlC } from '../output/interruption.ts';
import { LiveScreen } from '../output/live-screen.ts';
import type { Row, RowShape } from '../output/row-format.ts';
import { RowWriter } from '../output/row-writer.ts';
import { endlessOutputSignal, writeOutput } from '../output/standard-output.ts';
import { cutTo } from '../output/text-width.ts';
import { drawTimeChart } from '../output/time-chart.ts';
import { localTimeZone } from '../output/time-text.ts';
import { withService } from '../settings/service.ts';
import { intervalOf } from './interval.ts';
import type { QueryFlags } from './query-flags.ts';
import { shapeOf, warnOf } from './query-service.ts';
import { outageReports } from './tail-service.ts';

/** Shows the result of a query each time it changes. Ctrl-C ends it and is not a failure. */
export async function runLive(queryString: string, flags: QueryFlags): Promise<void> {
  const { start } = intervalOf(flags);
  if (typeof start === 'number')
    throw usageFailure('--live needs a relative start time. Pass --since with a time such as 15m.');
  endlessOutputSignal();
  const { isTerminal, colors, warn } = new RowWriter(flags).surface;
  const isTable =
    (flags.output ?? 'table') === 'table' && flags.json !== true && flags.template === undefined;
  const numbers = resultNumbers(queryString);
  const isInPlace = isTerminal && isTable && process.env.TERM !== 'dumb';
  const show = isInPlace ? redraw(flags, numbers, colors.dim) : append(flags, numbers);
  await withService(flags, {}, async ({ client, signal, settings }) => {
    // A message would move the picture that is redrawn.
    const reports = isInPlace ? {} : outageReports(warn, settings);
    const options = { start, arguments: flags.param, timeZone: flags.timezone ?? localTimeZone(), signal };
    for await (const result of client.watch<Row>(queryString, { ...options, ...reports })) await show(result);
    throwUnlessCtrlC(signal);
  });
}

type Show = (result: PollResult<Row>) => Promise<void>;

/** Redraws the result in place, also when the terminal is resized. */
function redraw(flags: QueryFlags, numbers: ReadonlySet<string>, dim: (text: string) => string): Show {
  const screen = new LiveScreen();
  let last: PollResult<Row> | undefined;
  const draw = async (result: PollResult<Row>): Promise<void> => {
    const rows = result.events.slice(0, flags.limit);
    const { columns = 80, rows: height = 24 } = process.stdout;
    const picture = await pictureOf(rows, { ...shapeOf(result), numbers }, flags);
    const time = new Date().toTimeString().slice(0, 8);
    const state = result.isDone ? '' : `, ${Math.floor(result.progress * 100)} % of past events searched`;
    const status = `${time}, ${countText(rows.length, 'row')}${state}; Ctrl-C to stop`;
    const shown = dim(cutTo(status, Math.max(1, columns - 1)));
    await writeOutput(screen.draw(picture, shown, { columns, rows: height }));
  };
  process.stdout.on('resize', () => {
    // A closed pipe is noticed with the next result.
    if (last !== undefined) draw(last).catch(() => {});
  });
  return async (result) => {
    last = result;
    await draw(result);
  };
}

/** The chart if the result has one, otherwise the table. */
async function pictureOf(rows: readonly Row[], shape: RowShape, flags: QueryFlags): Promise<string> {
  if (rows.length === 0) return 'no results yet';
  const writer = new RowWriter(flags);
  const columns = flags.fields ?? shape.columns ?? [];
  const chart = writer.surface.draws ? drawTimeChart(rows, columns, writer.surface, shape.groups) : [];
  return chart.length > 0 ? chart.join('\n') : writer.textOf(rows, shape);
}

/** Writes results one after the other: one line each as JSON; in other formats, each is followed by an empty line. */
function append(flags: QueryFlags, numbers: ReadonlySet<string>): Show {
  const writer = new RowWriter(flags);
  const warned = new Set<string>();
  return async (result) => {
    // A partial result would look like a complete one.
    if (!result.isDone) return;
    warnOf(result, writer, warned);
    const rows = result.events.slice(0, flags.limit);
    const text = await writer.textOf(rows, { ...shapeOf(result), numbers });
    await writeOutput(`${writer.isJson ? JSON.stringify(writer.chosen(rows)) : text}\n`);
  };
}
