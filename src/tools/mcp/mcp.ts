import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { usageFailure } from '../output/command-failure.ts';
import { interruptSignal } from '../output/interruption.ts';
import { outputClosedSignal, writeNote } from '../output/standard-output.ts';
import type { ConnectionFlags } from '../settings/connection-flags.ts';
import { formOf } from '../settings/file-bytes.ts';
import { checkSources } from '../settings/line-sources.ts';
import { FileSource } from './file-source.ts';
import type { LogSource } from './log-source.ts';
import { RowRefs } from './row-refs.ts';
import { createMcpServer } from './server.ts';
import { ServiceSource } from './service-source.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface McpFlags extends ConnectionFlags {
  readonly file?: string;
}

const TERMINAL_NOTE =
  'logclient: this command is for coding agents, which talk to it on stdin and stdout. For example, add it to Claude Code with "claude mcp add logs -- npx logclient mcp". Press Ctrl-C to stop.';

/** Serves the Model Context Protocol on stdin and stdout until stdin ends and every request is answered. */
export async function mcp(flags: McpFlags): Promise<void> {
  await using source = await sourceOf(flags);
  if (process.stdin.isTTY === true) writeNote(TERMINAL_NOTE);
  const transport = new StdioTransport();
  const session = { source, refs: new RowRefs(), ending: transport.ending };
  const handle = serveStdio(() => createMcpServer(session), {
    transport,
    onerror: ({ message }) => writeNote(`logclient: ${message}`),
  });
  const stop = AbortSignal.any([interruptSignal(), outputClosedSignal()]);
  try {
    stop.throwIfAborted();
    await Promise.race([transport.serve(), once(stop, 'abort')]);
    stop.throwIfAborted();
  } finally {
    // Aborts the calls that are running.
    await handle.close();
    process.stdin.destroy();
  }
}

/** @throws CommandFailure for flags that contradict each other, and for a file that can't be read. */
async function sourceOf({ file, ...flags }: McpFlags): Promise<LogSource> {
  if ([file, flags.token, flags.tokenFile, flags.clientSecretFile].includes('-')) {
    throw usageFailure('stdin belongs to the protocol. Pass the path of a file instead of "-".');
  }
  if (file === undefined) return new ServiceSource(flags);
  const other = Object.values(flags).find((value) => value !== undefined);
  if (other !== undefined) throw usageFailure("--file can't be combined with the flags of a connection.");
  await checkSources([file]);
  if (!(await stat(file)).isFile()) throw usageFailure(`--file needs the path of one log file, not ${file}.`);
  await formOf(file, true);
  return new FileSource(file);
}
