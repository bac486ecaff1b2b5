import type { Command } from 'commander';
import { nearestName } from '../../core/nearest-name.ts';
import { synonymOf } from '../output/flag-names.ts';

/** Each row has names for the same thing, here and in other tools. The first that the command has is suggested. */
const SYNONYMS: readonly string[] = [
  '--days --time --age --retention --retention-days --retention-time',
  '--storage-gib --size --storage --retention-size --storage-size',
  '--ingest-gib --ingest --ingest-size --retention-ingest',
  '--last --tail --lines',
  '--since --start --last --earliest --hours',
  '--from --start --begin --after --since',
  '--to --end --until --latest --before',
  '--limit --head --tail --lines --max --count --size --top --rows',
  '--live --follow --watch',
  '--repository --repo --view --index',
  '--url --host --address --server --base-url --endpoint',
  '--output --format --out',
  '--fields --columns --select',
  '--yes --force --confirm',
  '--if-exists --overwrite --update --upsert --exist-ok',
  '--if-missing --if-exists --ignore-not-found --missing-ok --force',
  '--file --query-file --input',
  '--version -v',
  'lint check verify',
  'query search run find grep select export',
  'tail follow watch logs',
  'ingest ship send import push',
  'serve start server up',
  'repositories repos repo',
  'auth status profiles profile account config whoami',
  'create add new',
  'delete rm del remove',
  'show get cat view',
  'list ls get show',
  'files upload download',
];

/** The flag that an unknown one may mean, also as one of its values, or another command. */
export function suggestedFlag(flag: string, command: Command): string | undefined {
  if (command.name() === 'tail' && /^(?:-f|-F|--follow)$/.test(flag))
    return 'logclient tail, which always follows the service, or logclient query --follow <file>';
  const names = command.options.flatMap(({ long }) => long ?? []);
  // The dashes are the same in all flags.
  const bare = flag.slice(2);
  const choice = command.options.find(({ argChoices }) => argChoices?.includes(bare));
  if (choice !== undefined) return `${choice.long} ${bare}`;
  const words = names.map((name) => name.slice(2));
  const word = nearestName(bare, words);
  return synonymOf(flag, names, SYNONYMS) ?? (word === undefined ? undefined : `--${word}`);
}

/** The subcommand that an unknown word may mean: one of a group (`queries test`), or one with a similar name. */
export function suggestedCommand(word: string, command: Command): string | undefined {
  const groups = command.commands.filter((each) => each.commands.some((below) => below.name() === word));
  if (groups.length === 1 || groups.length === 2)
    return groups.map((group) => `${group.name()} ${word}`).join(' or ');
  const namesIn = (all: Command) => all.commands.flatMap((each) => [each.name(), ...each.aliases()]);
  const known = (all: Command) => synonymOf(word, namesIn(all), SYNONYMS);
  const above = command.parent && known(command.parent);
  return known(command) ?? nearestName(word, namesIn(command)) ?? (above ? `logclient ${above}` : undefined);
}
