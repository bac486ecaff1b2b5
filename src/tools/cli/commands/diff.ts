import { LINE_TIME_ZONE } from '../../output/output-flags.ts';
import type { CommandRow } from '../command.ts';
import type { DiffFlags } from '../log-reports/diff.ts';

/** `logclient diff`: what changed between two logs. */
export const DIFF: CommandRow<DiffFlags> = {
  usage: 'diff <before> <after>',
  summary: 'Show what changed between two logs.',
  about:
    'Compare two logs, without a server: message patterns that are new, gone or changed; fields that appeared, disappeared or changed their type; and levels, patterns and rates that moved. IDs, numbers and quoted text in messages make no difference.',
  args: ['Log to compare with ("-" for stdin).', 'Log to compare ("-" for stdin).'],
  flags: [['--markdown', 'Write a Markdown table, for example for a pull request.'], LINE_TIME_ZONE],
  output: 'list',
  examples: [
    ['logclient diff before.log after.log', 'compare two releases'],
    ['logclient diff before.log after.log --markdown', 'write a table for a pull request'],
    ['node app.js | logclient diff before.log -', 'compare with the output of a program'],
  ],
  run: async (flags, before: string, after: string) =>
    (await import('../log-reports/diff.ts')).diff(before, after, flags),
};
