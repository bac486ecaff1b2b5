import type { Command } from 'commander';
import { addLineTimeZone, addOutputFlags } from '../../output/output-flags.ts';
import { withExamples } from '../examples.ts';
import type { DiffFlags } from '../log-reports/diff.ts';

/** `logclient diff`: what changed between two logs. */
export function addDiffCommand(program: Command): void {
  const command = program
    .command('diff')
    .summary('Show what changed between two logs.')
    .description(
      'Compare two logs, without a server: message patterns that are new, gone or changed; fields that appeared, disappeared or changed their type; and levels, patterns and rates that moved. IDs, numbers and quoted text in messages make no difference.',
    )
    .argument('<before>', 'Log to compare with ("-" for stdin).')
    .argument('<after>', 'Log to compare ("-" for stdin).')
    .option('--markdown', 'Write a Markdown table, for example for a pull request.');
  withExamples(
    command,
    ['logclient diff before.log after.log', 'compare two releases'],
    ['logclient diff before.log after.log --markdown', 'write a table for a pull request'],
    ['node app.js | logclient diff before.log -', 'compare with the output of a program'],
  );
  addLineTimeZone(command);
  addOutputFlags(command, 'list');
  command.action(async (before: string, after: string, flags: DiffFlags) => {
    const { diff } = await import('../log-reports/diff.ts');
    await diff(before, after, flags);
  });
}
