import type { IngestToken } from '../../wire/ingest-tokens.ts';
import { withExamples } from '../examples.ts';
import type { Row } from '../output/row-format.ts';
import type { ResourceCommand, ResourceFlags } from './resource.ts';

const COLUMNS = ['name', 'parser', 'token'];

interface ListFlags extends ResourceFlags {
  readonly showTokens?: boolean;
}

interface ParserFlags extends ResourceFlags {
  readonly parser?: string;
}

/** `logclient tokens`: the ingest tokens of a repository. */
export const tokensCommand: ResourceCommand = {
  name: 'tokens',
  description: 'List, create, change and delete ingest tokens.',
  define(tokens) {
    withExamples(
      tokens
        .command<ListFlags>(
          'list',
          'The ingest tokens of the repository, without their texts.',
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
        .option('--show-tokens', 'Show the tokens themselves, too.'),
      ['logclient tokens list', 'which are there?'],
    );
    withExamples(
      tokens
        .command<ParserFlags>(
          'create <name>',
          'Create an ingest token, and show it.',
          async ({ service, flags, write }, name) => {
            const token = await service.client.addIngestToken(name, {
              parser: flags.parser,
              signal: service.signal,
            });
            await write([rowOf(token, false)], COLUMNS, flags);
          },
        )
        .option('--parser <name>', 'The parser for what comes with the token.'),
      ['logclient tokens create shop --parser json', 'one for an app'],
      [
        'export LOGSCALE_INGEST_TOKEN=$(logclient tokens create web -o raw --fields token)',
        'and into the environment',
      ],
    );
    withExamples(
      tokens.command(
        'assign <name> <parser>',
        'Let a parser take what comes with a token from now on.',
        async ({ service, flags, write }, name, parser) => {
          const token = await service.client.assignParserToIngestToken(name, parser!, {
            signal: service.signal,
          });
          await write([rowOf(token, true)], COLUMNS, flags);
        },
      ),
      ['logclient tokens assign default kv', 'text of the form name=value comes with it'],
    );
    withExamples(
      tokens.command(
        'unassign <name>',
        'Leave it to the sender again which parser takes what comes with a token.',
        async ({ service, note }, name) => {
          await service.client.unassignParserFromIngestToken(name, { signal: service.signal });
          note(`the ingest token ${name} has no parser any more.`);
        },
      ),
      ['logclient tokens unassign default', 'no parser for it any more'],
    );
    withExamples(
      tokens.deletion(
        'delete <name>',
        'Delete an ingest token: what uses it can ship no more.',
        (name, { client }) => `the ingest token "${name}" of the repository "${client.repository}"`,
        async ({ service, note }, name) => {
          await service.client.removeIngestToken(name, { signal: service.signal });
          note(`deleted the ingest token ${name}.`);
        },
      ),
      ['logclient tokens delete old --yes', 'delete without being asked'],
    );
  },
};

function rowOf({ name, token, parser }: IngestToken, isHidden: boolean): Row {
  return { name, parser: parser?.name ?? '', token: isHidden ? '(hidden)' : token };
}
