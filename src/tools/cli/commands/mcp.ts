import type { McpFlags } from '../../mcp/mcp.ts';
import type { CommandRow } from '../command.ts';

/** `logclient mcp`: lets a coding agent read logs. */
export const MCP: CommandRow<McpFlags> = {
  usage: 'mcp',
  summary: 'Let a coding agent read your logs.',
  about:
    'Serve the Model Context Protocol on stdin and stdout, so that a coding agent can query, summarize and tail logs. Uses the local server that is running, or the service set by the environment or a profile. All tools are read-only.',
  flags: [['--file <path>', 'Read a log file (NDJSON or text) instead of a service.']],
  connects: true,
  examples: [
    ['logclient mcp', 'read the logs of the local server'],
    ['logclient mcp --file app.log', 'read a log file'],
  ],
  run: async (flags) => (await import('../../mcp/mcp.ts')).mcp(flags),
};
