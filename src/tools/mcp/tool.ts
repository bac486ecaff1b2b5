import type * as z from 'zod/v4';
import type { Row } from '../output/row-format.ts';
import type { LogSource, Logs } from './log-source.ts';
import type { RowRefs } from './row-refs.ts';

/** What the tools of one connection share. */
export interface Session {
  readonly source: LogSource;
  readonly refs: RowRefs;
  /** Aborts when the connection ends: tools that wait for events return what has arrived. */
  readonly ending: AbortSignal;
}

/** The logs of a call, and the short names of their events. */
export interface CallLogs extends Logs {
  readonly refOf: (row: Row) => string;
}

/** Runs a call on the logs of a connection, or on another repository of the same service. */
export function withLogs<Result>(
  { source, refs }: Session,
  repository: string | undefined,
  action: (logs: CallLogs) => Promise<Result>,
): Promise<Result> {
  return source.use(repository, (logs) => action({ ...logs, refOf: (row) => refs.of(row, logs.repository) }));
}

export interface Tool<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Schema;
  /** @throws Error with a message for the agent, which says what to do instead. */
  run(input: z.infer<Schema>, session: Session, signal: AbortSignal): Promise<string>;
}

/** Checks the types of a tool. */
export function defineTool<Schema extends z.ZodObject>(tool: Tool<Schema>): Tool {
  return tool as unknown as Tool;
}
