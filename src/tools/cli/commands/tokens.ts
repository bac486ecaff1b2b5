import type { IngestToken } from '../../../core/wire/ingest-tokens.ts';
import { existing } from '../../output/command-failure.ts';
import { type Row, Worded } from '../../output/row-format.ts';
import { deletion, IF_EXISTS, type Resource } from './resource.ts';

const COLUMNS = ['name', 'parser', 'token'];

export const TOKENS: Resource = {
  name: 'tokens',
  about: 'Manage ingest tokens.',
  operations: [
    {
      usage: 'list',
      about: 'List the ingest tokens of the repository, with their values hidden.',
      flags: [['--show-tokens', 'Show the token values.']],
      examples: [['logclient tokens list', 'list names and parsers']],
      columns: COLUMNS,
      async run({ client, signal, flags }) {
        const all = await client.listIngestTokens({ signal });
        return all.map((token) => rowOf(token, flags.showTokens !== true));
      },
    },
    {
      usage: 'create <name>',
      about: 'Create an ingest token and show it.',
      flags: [['--parser <name>', 'Parser for events sent with this token.'], IF_EXISTS],
      examples: [
        ['logclient tokens create shop --parser json', 'create a token for an app'],
        [
          'token=$(logclient tokens create web --if-exists keep -o raw --fields token)',
          'store a token in a shell variable; create it unless it exists',
        ],
      ],
      columns: COLUMNS,
      async run({ client, signal, flags: { parser, ifExists } }, name) {
        return [rowOf(await client.addIngestToken(name, { parser, ifExists, signal }), false)];
      },
    },
    {
      usage: 'assign <name> <parser>',
      about: 'Assign a parser to an ingest token.',
      examples: [['logclient tokens assign default kv', 'parse name=value pairs']],
      columns: COLUMNS,
      async run({ client, signal }, name, parser) {
        return [rowOf(await client.assignParserToIngestToken(name, parser, { signal }), true)];
      },
    },
    {
      usage: 'unassign <name>',
      about: 'Remove the parser from an ingest token. The sender then chooses one.',
      examples: [['logclient tokens unassign default', 'let the sender choose the parser']],
      async run({ client, signal }, name) {
        await client.unassignParserFromIngestToken(name, { signal });
        return `removed the parser from the ingest token ${name}.`;
      },
    },
    {
      ...deletion('tokens', 'ingest token', 'old', async ({ client, signal }, name) => {
        const removed = await client.removeIngestToken(name, { signal });
        existing(removed, `ingest token "${name}"`, 'tokens');
      }),
      about: 'Delete an ingest token. Apps that use it can no longer send events.',
    },
  ],
};

function rowOf({ name, token, parser }: IngestToken, isHidden: boolean): Row {
  return { name, parser: parser?.name ?? null, token: isHidden ? new Worded(null, '(hidden)') : token };
}
