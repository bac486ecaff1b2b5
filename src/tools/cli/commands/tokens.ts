import type { IngestToken } from '../../../core/wire/ingest-tokens.ts';
import { existing } from '../../output/command-failure.ts';
import { type Row, Worded } from '../../output/row-format.ts';
import { withExamples } from '../examples.ts';
import { created, IF_EXISTS_HINT, type IfExistsFlags, ifExistsOption } from './if-exists.ts';
import type { Resource, ResourceCommand, ResourceFlags } from './resource.ts';

const COLUMNS = ['name', 'parser', 'token'];

interface ListFlags extends ResourceFlags {
  readonly showTokens?: boolean;
}

interface CreateFlags extends IfExistsFlags {
  readonly parser?: string;
}

/** `logclient tokens`: ingest tokens of a repository. */
export const tokensCommand: ResourceCommand = {
  name: 'tokens',
  description: 'Manage ingest tokens.',
  define(tokens) {
    addList(tokens);
    addCreate(tokens);
    addAssign(tokens);
    addUnassign(tokens);
    addDelete(tokens);
  },
};

function addList(tokens: Resource): void {
  withExamples(
    tokens
      .command<ListFlags>(
        'list',
        'List the ingest tokens of the repository, with their values hidden.',
        async ({ service, flags, write }) => {
          const all = await service.client.listIngestTokens({ signal: service.signal });
          const hidden = flags.showTokens !== true;
          await write(
            all.map((token) => rowOf(token, hidden)),
            COLUMNS,
            flags,
          );
        },
      )
      .option('--show-tokens', 'Show the token values.'),
    ['logclient tokens list', 'list names and parsers'],
  );
}

function addCreate(tokens: Resource): void {
  withExamples(
    tokens
      .command<CreateFlags>(
        'create <name>',
        'Create an ingest token and show it.',
        async ({ service, flags, write }, name) => {
          const { parser, ifExists } = flags;
          const options = { parser, ifExists, signal: service.signal };
          const token = await created(service.client.addIngestToken(name, options), IF_EXISTS_HINT);
          await write([rowOf(token, false)], COLUMNS, flags);
        },
      )
      .option('--parser <name>', 'Parser for events sent with this token.')
      .addOption(ifExistsOption()),
    ['logclient tokens create shop --parser json', 'create a token for an app'],
    [
      'token=$(logclient tokens create web --if-exists keep -o raw --fields token)',
      'store a token in a shell variable; create it unless it exists',
    ],
  );
}

function addAssign(tokens: Resource): void {
  withExamples(
    tokens.command(
      'assign <name> <parser>',
      'Assign a parser to an ingest token.',
      async ({ service, flags, write }, name, parser) => {
        const token = await service.client.assignParserToIngestToken(name, parser!, {
          signal: service.signal,
        });
        await write([rowOf(token, true)], COLUMNS, flags);
      },
    ),
    ['logclient tokens assign default kv', 'parse name=value pairs'],
  );
}

function addUnassign(tokens: Resource): void {
  withExamples(
    tokens.silent(
      'unassign <name>',
      'Remove the parser from an ingest token. The sender then chooses one.',
      async ({ service, note }, name) => {
        await service.client.unassignParserFromIngestToken(name, { signal: service.signal });
        note(`removed the parser from the ingest token ${name}.`);
      },
    ),
    ['logclient tokens unassign default', 'let the sender choose the parser'],
  );
}

function addDelete(tokens: Resource): void {
  withExamples(
    tokens.deletion(
      'delete <name>',
      'Delete an ingest token. Apps that use it can no longer send events.',
      (name, { client }) => `the ingest token "${name}" in the repository "${client.repository}"`,
      async ({ service, note }, name) => {
        const removed = await service.client.removeIngestToken(name, { signal: service.signal });
        existing(removed, `ingest token "${name}"`, 'logclient tokens list');
        note(`deleted the ingest token ${name}.`);
      },
    ),
    ['logclient tokens delete old --yes', 'delete without a confirmation prompt'],
  );
}

function rowOf({ name, token, parser }: IngestToken, isHidden: boolean): Row {
  return { name, parser: parser?.name ?? null, token: isHidden ? new Worded(null, '(hidden)') : token };
}
