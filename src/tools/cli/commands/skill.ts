import { Option } from 'commander';
import type { CommandGroup, CommandRow } from '../command.ts';
import type { InstallFlags } from '../skill/install.ts';

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
