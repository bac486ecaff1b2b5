import { Option } from 'commander';
import type { McpFlags } from '../../mcp/mcp.ts';
import type { CommandGroup, CommandRow } from '../command.ts';
import type { InstallFlags } from '../skill/install.ts';

export const MCP: CommandRow<McpFlags> = {
  usage: 'mcp',
  about:
    'Let a coding agent read your logs. Serves the Model Context Protocol on stdin and stdout, with tools to query, summarize and tail logs. Uses the local server that is running, or the service set by the environment or a profile. All tools are read-only.',
  flags: [['--file <path>', 'Read a log file (NDJSON or text) instead of a service.']],
  connects: true,
  examples: [
    ['logclient mcp', 'read the logs of the local server'],
    ['logclient mcp --file app.log', 'read a log file'],
  ],
  run: async (flags) => (await import('../../mcp/mcp.ts')).mcp(flags),
};

export const LANGUAGE_SERVER: CommandRow<undefined> = {
  usage: 'language-server',
  about:
    'Check and complete queries in your editor. Serves the Language Server Protocol on stdin and stdout: problems with fixes, completion, hover and formatting for .lql and .cql files and for lql`…` templates in TypeScript and JavaScript. Needs no server.',
  flags: [['--stdio', 'No effect. Many editors pass it to every language server.']],
  examples: [['logclient language-server', 'run by your editor']],
  run: async () => (await import('../../language-server/language-server.ts')).languageServer(),
};

const INSTALL: CommandRow<InstallFlags> = {
  usage: 'install',
  about:
    'Write the skill "logclient" to the folder of your coding agent. It explains how to add the transport, to query and to test, and the query language. Updates an earlier version of it. Changes nothing if you have changed one of its files.',
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

export const SKILL: CommandGroup = {
  name: 'skill',
  about: 'Install instructions for coding agents: how to ship, query and test logs.',
  commands: [INSTALL],
};
