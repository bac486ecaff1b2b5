import type { Command } from 'commander';
import { CommandFailure } from '../command-failure.ts';
import { withExamples } from '../examples.ts';
import { nameList } from '../flag-values.ts';
import { readTextFile } from '../input-file.ts';
import { addResource, type ResourceFlags } from './resource.ts';

const COLUMNS = ['name', 'isBuiltIn', 'id'];

interface CreateFlags extends ResourceFlags {
  readonly tagFields?: readonly string[];
  readonly overwrite?: boolean;
}

/** `logclient parsers`: what becomes of text on its way in. */
export function addParsersCommand(program: Command): void {
  const parsers = addResource(program, 'parsers', 'List, create and delete parsers.');
  withExamples(
    parsers.command(
      'list',
      'The parsers of the repository, and the built-in ones.',
      async ({ service, flags, write }) => {
        const all = await service.client.listParsers({ signal: service.signal });
        const rows = all.map(({ id, name, isBuiltIn }) => ({ name, isBuiltIn: String(isBuiltIn), id }));
        await write(rows, COLUMNS, flags);
      },
    ),
    ['logclient parsers list', 'what is there?'],
  );
  withExamples(
    parsers
      .command<CreateFlags>(
        'create <name> <path>',
        'Create a parser of the script in a file.',
        async ({ service, flags, write }, name, path) => {
          const script = await readTextFile('the script', path!);
          const { id, isBuiltIn } = await service.client.createParser(name, script, {
            fieldsToTag: flags.tagFields,
            allowOverwritingExistingParser: flags.overwrite === true,
            signal: service.signal,
          });
          await write([{ name, isBuiltIn: String(isBuiltIn), id }], COLUMNS, flags);
        },
      )
      .option('--tag-fields <names>', 'Fields that become tags, with commas between them.', nameList)
      .option('--overwrite', 'In place of a parser of the same name.'),
    ['logclient parsers create shop parser.lql', 'a new one'],
  );
  withExamples(
    parsers.deletion(
      'delete <name>',
      'Delete a parser.',
      (name, { client }) => `the parser "${name}" of the repository "${client.repository}"`,
      async ({ service, note }, name) => {
        const all = await service.client.listParsers({ signal: service.signal });
        const parser =
          all.find((each) => each.name === name && !each.isBuiltIn) ?? all.find((each) => each.id === name);
        if (parser === undefined) {
          throw new CommandFailure(
            `the repository "${service.client.repository}" has no parser of its own "${name}".`,
          );
        }
        await service.client.deleteParser(parser.id, { signal: service.signal });
        note(`deleted the parser ${name}.`);
      },
    ),
    ['logclient parsers delete old --yes', 'delete without being asked'],
  );
}
