import type { Command } from 'commander';
import { nearestName } from '../../core/nearest-name.ts';

/** What people know from other tools, by the flag or command that exists here. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  '--days': ['--time', '--age', '--retention', '--retention-days', '--retention-time'],
  '--storage-gib': ['--size', '--storage', '--retention-size', '--storage-size'],
  '--ingest-gib': ['--ingest', '--ingest-size', '--retention-ingest'],
  '--since': ['--start', '--last', '--earliest', '--hours'],
  '--from': ['--begin', '--after'],
  '--to': ['--end', '--until', '--latest', '--before'],
  '--start': ['--from', '--since'],
  '--end': ['--to', '--until'],
  '--limit': ['--head', '--lines', '--max', '--count', '--size', '--top'],
  '--live': ['--follow', '--watch', '--tail'],
  '--repository': ['--repo', '--view', '--index'],
  '--url': ['--host', '--address', '--server', '--base-url', '--endpoint'],
  '--output': ['--format', '--out'],
  '--fields': ['--columns', '--select'],
  '--yes': ['--force', '--confirm'],
  '--if-exists': ['--overwrite', '--update', '--upsert', '--exist-ok'],
  '--if-missing': ['--if-exists', '--ignore-not-found', '--missing-ok', '--force'],
  '--file': ['--query-file', '--input'],
  lint: ['check', 'verify'],
  query: ['search', 'run', 'find', 'grep', 'select'],
  tail: ['follow', 'watch', 'logs'],
  ingest: ['ship', 'send', 'import', 'push'],
  serve: ['start', 'server', 'up'],
  repositories: ['repos', 'repo'],
};

/** The flag that an unknown one may mean, or another command. */
export function suggestedFlag(flag: string, command: Command): string | undefined {
  if (command.name() === 'tail' && /^(?:-f|-F|--follow)$/.test(flag))
    return 'logclient tail, which always follows the service, or logclient query --follow <file>';
  const names = command.options.flatMap(({ long }) => long ?? []);
  const known = names.find((name) => OTHER_NAMES[name]?.includes(flag));
  // The dashes are the same in all flags.
  const words = names.map((name) => name.slice(2));
  const word = nearestName(flag.slice(2), words);
  return known ?? (word === undefined ? undefined : `--${word}`);
}

/** The subcommand that an unknown word may mean: one of a group (`queries test`), or one with a similar name. */
export function suggestedCommand(word: string, command: Command): string | undefined {
  const groups = command.commands.filter((each) => each.commands.some((below) => below.name() === word));
  if (groups.length === 1 || groups.length === 2)
    return groups.map((group) => `${group.name()} ${word}`).join(' or ');
  const namesIn = (all: Command) => all.commands.flatMap((each) => [each.name(), ...each.aliases()]);
  const known = (all: Command) => namesIn(all).find((name) => OTHER_NAMES[name]?.includes(word));
  const above = command.parent && known(command.parent);
  return known(command) ?? nearestName(word, namesIn(command)) ?? (above ? `logclient ${above}` : undefined);
}
