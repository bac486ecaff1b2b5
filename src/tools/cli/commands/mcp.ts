import type { Command } from 'commander';
import type { McpFlags } from '../../mcp/mcp.ts';
import { addConnectionFlags } from '../../settings/connection-flags.ts';
import { withExamples } from '../examples.ts';

/** `logclient mcp`: lets a coding agent read logs. */
export function addMcpCommand(program: Command): void {
  const command = program
    .command('mcp')
    .summary('Let a coding agent read your logs.')
    .description(
      'Serve the Model Context Protocol on stdin and stdout, so that a coding agent can query, summarize and tail logs. Uses the local server that is running, or the service set by the environment or a profile. All tools are read-only.',
    )
    .option('--file <path>', 'Read a log file (NDJSON or text) instead of a service.');
  withExamples(
    command,
    ['logclient mcp', 'read the logs of the local server'],
    ['logclient mcp --file app.log', 'read a log file'],
  );
  addConnectionFlags(command);
  command.allowExcessArguments(false).action(async (flags: McpFlags) => {
    const { mcp } = await import('../../mcp/mcp.ts');
    await mcp(flags);
  });
}
