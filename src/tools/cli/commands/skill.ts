import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import type { InstallFlags } from '../skill/install.ts';

/** `logclient skill`: instructions for coding agents. */
export function addSkillCommand(program: Command): void {
  const command = program
    .command('skill')
    .summary('Install instructions for coding agents.')
    .description('Instructions for coding agents: how to ship, query and test logs.')
    .helpCommand('help [command]', 'Show help for a command.')
    .command('install')
    .summary('Write the skill to the project.')
    .description(
      'Write the skill "logclient" to the folder of your coding agent: how to add the transport, to query and to test, and the query language. Updates an earlier version of it. Changes nothing if you have changed one of its files.',
    )
    .option(
      '--dir <folder>',
      'Folder of the skills of your agent: .claude/skills for Claude Code, .agents/skills for Codex, Cursor, Gemini CLI and others.',
      '.claude/skills',
    )
    .option('--force', 'Replace files that you have changed.');
  withExamples(
    command,
    ['logclient skill install', 'for Claude Code, in .claude/skills/logclient'],
    ['logclient skill install --dir .agents/skills', 'for Codex, Cursor, Gemini CLI and others'],
  );
  command.allowExcessArguments(false).action(async (flags: InstallFlags) => {
    const { installSkill } = await import('../skill/install.ts');
    await installSkill(flags);
  });
}
