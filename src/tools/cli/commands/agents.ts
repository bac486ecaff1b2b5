import { Option } from 'commander';
import type { McpFlags } from '../../mcp/mcp.ts';
import type { CommandGroup, CommandRow } from '../command.ts';
import type { InstallFlags } from '../skill/install.ts';

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

/** `logclient language-server`: checks and completes queries in editors. */
export const LANGUAGE_SERVER: CommandRow<undefined> = {
  usage: 'language-server',
  summary: 'Check and complete queries in your editor.',
  about:
    'Serve the Language Server Protocol on stdin and stdout: problems with fixes, completion, hover and formatting for .lql and .cql files and for lql`…` templates in TypeScript and JavaScript. Needs no server.',
  flags: [['--stdio', 'No effect. Many editors pass it to every language server.']],
  examples: [['logclient language-server', 'run by your editor']],
  run: async () => (await import('../../language-server/language-server.ts')).languageServer(),
};

const INSTALL: CommandRow<InstallFlags> = {
  usage: 'install',
  summary: 'Write the skill to the project.',
  about:
    'Write the skill "logclient" to the folder of your coding agent: how to add the transport, to query and to test, and the query language. Updates an earlier version of it. Changes nothing if you have changed one of its files.',
  flags: [
    new Option(
      '--dir <folder>',
      'Folder of the skills of your agent: .claude/skills for Claude Code, .agents/skills for Codex, Cursor, Gemini CLI and others.',
    ).default('.claude/skills'),
    ['--force', 'Replace files that you have changed.'],
  ],
  examples: [
    ['logclient skill install', 'for Claude Code, in .claude/skills/logclient'],
    ['logclient skill install --dir .agents/skills', 'for Codex, Cursor, Gemini CLI and others'],
  ],
  run: async (flags) => (await import('../skill/install.ts')).installSkill(flags),
};

/** `logclient skill`: instructions for coding agents. */
export const SKILL: CommandGroup = {
  name: 'skill',
  summary: 'Install instructions for coding agents.',
  about: 'Instructions for coding agents: how to ship, query and test logs.',
  commands: [INSTALL],
};
