import type { Parser, ParserSummary } from '../../../core/wire/parsers.ts';
import { CommandFailure, existing, MissingFailure, usageFailure } from '../../output/command-failure.ts';
import type { Flag } from '../../output/flag.ts';
import { nameList } from '../../output/flag-values.ts';
import { COLOR } from '../../output/output-flags.ts';
import { Worded } from '../../output/row-format.ts';
import { readTextFile } from '../../settings/input-file.ts';
import type { CommandRow } from '../command.ts';
import type { ParserTestFlags } from '../tests/parser-tests.ts';
import {
  type Call,
  deletion,
  IF_EXISTS,
  type Resource,
  type ResourceFlags,
  requireChanges,
} from './resource.ts';
import { REPORT_FORMAT } from './test-flags.ts';

const COLUMNS = ['name', 'isBuiltIn', 'id'];
const DETAIL_COLUMNS = [...COLUMNS, 'tagFields', 'dropFields', 'script'];

interface Flags extends ResourceFlags {
  readonly to?: string;
}

const FIELD_FLAGS: readonly Flag[] = [
  ['--tag-fields <names>', 'Fields to turn into tags, comma-separated.', nameList],
  ['--drop-fields <names>', 'Fields to remove before parsing, comma-separated.', nameList],
];

const TEST: CommandRow<ParserTestFlags> = {
  usage: 'test [paths...]',
  about: 'Run the test cases of YAML templates without a server. Exits with status 1 if a test case fails.',
  args: ['YAML templates, or folders.'],
  flags: [
    [
      '--cps [version]',
      'Also check the events against the CrowdStrike Parsing Standard: 1.0, 1.1 or 1.2. Default: 1.2.',
      ['1.0', '1.1', '1.2'],
    ],
    REPORT_FORMAT,
    COLOR,
  ],
  examples: [
    ['logclient parsers test parsers', 'run all test cases in a folder'],
    ['logclient parsers test parsers --cps 1.1', 'also check the CrowdStrike Parsing Standard'],
    ['logclient parsers test web.yaml --output github', 'annotate a pull request in a GitHub workflow'],
    ['logclient parsers test parsers --output junit > report.xml', 'write a report for CI'],
  ],
  run: async (flags, paths: readonly string[]) =>
    (await import('../tests/parser-tests.ts')).testParsers(paths, flags),
};

export const PARSERS: Resource<Flags> = {
  name: 'parsers',
  about: 'Manage parsers.',
  operations: [
    {
      usage: 'list',
      about: 'List the parsers in the repository and the built-in parsers.',
      examples: [['logclient parsers list', 'list all parsers']],
      columns: COLUMNS,
      run: ({ client, signal }) => client.listParsers({ signal }),
    },
    {
      usage: 'show <name>',
      about: 'Show a parser and its script.',
      examples: [
        ['logclient parsers show kv', 'show one parser'],
        [
          'logclient parsers show json -o raw --fields script > parser.lql',
          'save the script to a file for editing',
        ],
      ],
      columns: DETAIL_COLUMNS,
      async run({ client, signal }, name) {
        const parser = await client.getParser(name, { signal });
        return [detailRowOf(existing(parser, `parser "${name}"`, 'parsers', client.repository))];
      },
    },
    {
      usage: 'create <name> <path>',
      about: 'Create a parser from a script file ("-" for stdin) or a YAML template (.yaml).',
      flags: [...FIELD_FLAGS, IF_EXISTS],
      examples: [
        ['logclient query --stdin -f parser.lql < app.log', 'try the script on a few lines first'],
        ['logclient parsers create shop parser.lql', 'create the parser'],
        [
          'logclient parsers create web web.yaml',
          'create a parser with the tags and test cases of a template',
        ],
      ],
      columns: COLUMNS,
      run: async (call, name, path) => [await createParser(call, name, path)],
    },
    {
      usage: 'update <name>',
      about: "Update a parser. Fields that you don't set stay the same.",
      flags: [
        ['--name <name>', 'New name.'],
        ['--script <path>', 'File that contains the new script ("-" for stdin).'],
        ...FIELD_FLAGS,
      ],
      examples: [
        [
          'logclient parsers update shop --script parser.lql --tag-fields level',
          'replace the script and the tag fields',
        ],
      ],
      columns: DETAIL_COLUMNS,
      async run(call, oldName) {
        const { client, signal, flags } = call;
        const { name, script: path, tagFields: fieldsToTag, dropFields } = flags;
        const fields = { name, fieldsToTag, fieldsToBeRemovedBeforeParsing: dropFields };
        requireChanges({ ...fields, path }, '--script, --name, --tag-fields or --drop-fields');
        const script = path === undefined ? undefined : await readScript('--script', path);
        const { id } = await ownParser(call, oldName);
        return [detailRowOf(await client.updateParser(id, { ...fields, script, signal }))];
      },
    },
    deletion('parsers', 'parser', 'old', async (call, name) => {
      const { id } = await ownParser(call, name);
      await call.client.deleteParser(id, { signal: call.signal });
    }),
    { local: TEST },
    {
      usage: 'push <paths...>',
      about:
        'Create or update parsers from YAML templates, with their test cases. Paths are files or folders.',
      examples: [['logclient parsers push parsers', 'create or update all parsers in a folder']],
      columns: COLUMNS,
      async run(call, ...paths) {
        const { pushParsers } = await import('../parser-templates.ts');
        return pushParsers(call, paths);
      },
    },
    {
      usage: 'pull [names...]',
      about:
        'Write parsers as YAML templates, with their test cases. Default: all parsers that are not built in.',
      flags: [['--to <folder>', 'Folder for the files. Default: the current folder.']],
      examples: [
        ['logclient parsers pull --to parsers', 'write all parsers to a folder'],
        ['logclient parsers pull shop', 'write shop.yaml'],
      ],
      async run(call, ...names) {
        const { pullParsers } = await import('../parser-templates.ts');
        return pullParsers(call, names, call.flags.to ?? '.');
      },
    },
  ],
};

async function createParser(
  { client, signal, flags }: Call<Flags>,
  name: string,
  path: string,
): Promise<Parser> {
  const { tagFields: fieldsToTag, dropFields, ifExists } = flags;
  const isTemplate = /\.ya?ml$/i.test(path);
  const text = await readScript(isTemplate ? 'the template' : 'the script', path);
  if (!isTemplate) {
    const fields = { fieldsToTag, fieldsToBeRemovedBeforeParsing: dropFields };
    return client.createParser(name, text, { ...fields, ifExists, signal });
  }
  if (fieldsToTag !== undefined || dropFields !== undefined) {
    throw usageFailure('--tag-fields and --drop-fields belong to scripts; a template has its own fields.');
  }
  return client.createParserFromTemplate(name, text, { ifExists, signal });
}

async function readScript(what: string, file: string): Promise<string> {
  const script = await readTextFile(what, file);
  if (script.trim() === '') throw usageFailure(`${what} ${file} is empty.`);
  return script;
}

/** Finds a parser by name, or by ID. Built-in parsers can't be changed. */
async function ownParser({ client, signal }: Call, name: string): Promise<ParserSummary> {
  const all = await client.listParsers({ signal });
  const named = all.filter((each) => each.name === name);
  const parser = named.find(({ isBuiltIn }) => !isBuiltIn) ?? all.find(({ id }) => id === name);
  if (parser !== undefined) return parser;
  const Failure = named.length === 0 ? MissingFailure : CommandFailure;
  throw new Failure(
    `the repository "${client.repository}" has no parser "${name}" that can be changed. "logclient parsers list" shows its parsers; built-in parsers can't be changed.`,
  );
}

function detailRowOf(parser: Parser): object {
  const { fieldsToTag, fieldsToBeRemovedBeforeParsing } = parser;
  const listed = (names: readonly string[]): Worded => new Worded(names, names.join(','));
  return { ...parser, tagFields: listed(fieldsToTag), dropFields: listed(fieldsToBeRemovedBeforeParsing) };
}
