import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type * as z from 'zod/v4';
import type { LogSource } from './log-source.ts';
import type { RowRefs } from './row-refs.ts';

/** What the tools of one connection share. */
export interface Session {
  readonly source: LogSource;
  readonly refs: RowRefs;
  /** Aborts when the connection ends: tools that wait for events return what has arrived. */
  readonly ending: AbortSignal;
}

export interface Tool<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Schema;
  /** @throws ToolError. */
  run(input: z.infer<Schema>, session: Session, signal: AbortSignal): Promise<string>;
}

/** Checks the types of a tool. */
export function defineTool<Schema extends z.ZodObject>(tool: Tool<Schema>): Tool {
  return tool as unknown as Tool;
}

/** No tool changes anything. */
export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
