import { type Command, Option } from 'commander';
import type { Parser, ParserSummary } from '../../../core/wire/parsers.ts';
import type { UpdateParserOptions } from '../../../index.ts';
import { CommandFailure, usageFailure } from '../../output/command-failure.ts';
import { nameList } from '../../output/flag-values.ts';
import { type Row, Worded } from '../../output/row-format.ts';
import { readTextFile } from '../../settings/input-file.ts';
import type { Service } from '../../settings/service.ts';
import { withExamples } from '../examples.ts';
import type { ParserTestFlags } from '../tests/parser-tests.ts';
import { created } from './if-exists.ts';
import type { Resource, ResourceCommand, ResourceFlags } from './resource.ts';
import { addTestFlags } from './test-flags.ts';

const COLUMNS = ['name', 'isBuiltIn', 'id'];
const DETAIL_COLUMNS = [...COLUMNS, 'tagFields', 'dropFields', 'script'];

const OVERWRITE_HINT = 'To update it, pass --overwrite.';

interface FieldFlags extends ResourceFlags {
  readonly tagFields?: readonly string[];
  readonly dropFields?: readonly string[];
}

interface CreateFlags extends FieldFlags {
  readonly overwrite?: boolean;
}

interface PullFlags extends ResourceFlags {
  readonly to?: string;
}

interface UpdateFlags extends FieldFlags {
  readonly name?: string;
  readonly script?: string;
}

/** `logclient parsers`: parsers for ingested text. */
export const parsersCommand: ResourceCommand = {
  name: 'parsers',
  description: 'Manage parsers.',
  define(parsers) {
    addList(parsers);
    addShow(parsers);
    addCreate(parsers);
    addUpdate(parsers);
    addDelete(parsers);
    addTest(parsers);
    addPush(parsers);
    addPull(parsers);
  },
};

function addList(parsers: Resource): void {
  withExamples(
    parsers.command(
      'list',
      'List the parsers in the repository and the built-in parsers.',
      async ({ service, flags, write }) => {
        const all = await service.client.listParsers({ signal: service.signal });
        await write(all.map(rowOf), COLUMNS, flags);
      },
    ),
    ['logclient parsers list', 'list all parsers'],
  );
}

function addShow(parsers: Resource): void {
  withExamples(
    parsers.command(
      'show <name>',
      'Show a parser and its script.',
      async ({ service, flags, write }, name) => {
        const parser = await service.client.getParser(name, { signal: service.signal });
        if (parser === undefined) throw noParser(service, name);
        await write([detailRowOf(parser)], DETAIL_COLUMNS, flags);
      },
    ),
    ['logclient parsers show kv', 'show one parser'],
    [
      'logclient parsers show json -o raw --fields script > parser.lql',
      'save the script to a file for editing',
    ],
  );
}

function addCreate(parsers: Resource): void {
  withExamples(
    withFieldFlags(
      parsers.command<CreateFlags>(
        'create <name> <path>',
        'Create a parser from a script file ("-" for stdin) or a YAML template (.yaml). Exits with status 3 if the name is in use, unless --overwrite is set.',
        async ({ service, flags, write }, name, path) => {
          const parser = await createParser(service, flags, name, path!);
          await write([rowOf(parser)], COLUMNS, flags);
        },
      ),
    ).option('--overwrite', 'Update a parser with the same name, if there is one.'),
    ['logclient query --stdin -f parser.lql < app.log', 'try the script on a few lines first'],
    ['logclient parsers create shop parser.lql', 'create the parser'],
    ['logclient parsers create web web.yaml', 'create a parser with the tags and test cases of a template'],
  );
}

function addUpdate(parsers: Resource): void {
  withExamples(
    withFieldFlags(
      parsers
        .command<UpdateFlags>(
          'update <name>',
          "Update a parser. Fields that you don't set stay the same.",
          async ({ service, flags, write }, name) => {
            const changes = await changesOf(flags);
            const { id } = await ownParser(service, name);
            const parser = await service.client.updateParser(id, { ...changes, signal: service.signal });
            await write([detailRowOf(parser)], DETAIL_COLUMNS, flags);
          },
        )
        .option('--name <name>', 'New name.')
        .option('--script <path>', 'File that contains the new script ("-" for stdin).'),
    ),
    [
      'logclient parsers update shop --script parser.lql --tag-fields level',
      'replace the script and the tag fields',
    ],
  );
}

function addDelete(parsers: Resource): void {
  withExamples(
    parsers.deletion(
      'delete <name>',
      'Delete a parser.',
      (name, { client }) => `the parser "${name}" in the repository "${client.repository}"`,
      async ({ service, note }, name) => {
        const { id } = await ownParser(service, name);
        await service.client.deleteParser(id, { signal: service.signal });
        note(`deleted the parser ${name}.`);
      },
    ),
    ['logclient parsers delete old --yes', 'delete without a confirmation prompt'],
  );
}

function addTest(parsers: Resource): void {
  const command = parsers
    .local(
      'test',
      'Run the test cases of YAML templates without a server. Exits with status 1 if a test case fails.',
    )
    .argument('[paths...]', 'YAML templates, or folders.')
    .addOption(
      new Option(
        '--cps [version]',
        'Also check the events against the CrowdStrike Parsing Standard: 1.0, 1.1 or 1.2. Default: 1.2.',
      ).choices(['1.0', '1.1', '1.2']),
    );
  withExamples(
    addTestFlags(command),
    ['logclient parsers test parsers', 'run all test cases in a folder'],
    ['logclient parsers test parsers --cps 1.1', 'also check the CrowdStrike Parsing Standard'],
    ['logclient parsers test web.yaml --output github', 'annotate a pull request in a GitHub workflow'],
    ['logclient parsers test parsers --output junit > report.xml', 'write a report for CI'],
  );
  command.action(async (paths: readonly string[], flags: ParserTestFlags) => {
    const { testParsers } = await import('../tests/parser-tests.ts');
    await testParsers(paths, flags);
  });
}

function addPush(parsers: Resource): void {
  withExamples(
    parsers.command(
      'push <paths...>',
      'Create or update parsers from YAML templates, with their test cases. Paths are files or folders.',
      async (call, ...paths) => {
        const { pushParsers } = await import('../parser-templates.ts');
        const pushed = await pushParsers(call.service, paths);
        await call.write(pushed.map(rowOf), COLUMNS, call.flags);
      },
    ),
    ['logclient parsers push parsers', 'create or update all parsers in a folder'],
  );
}

function addPull(parsers: Resource): void {
  withExamples(
    parsers
      .silent<PullFlags>(
        'pull [names...]',
        'Write parsers as YAML templates, with their test cases. Default: all parsers that are not built in.',
        async ({ service, flags, note }, ...names) => {
          const { pullParsers } = await import('../parser-templates.ts');
          await pullParsers(service, names, flags.to ?? '.', note);
        },
      )
      .option('--to <folder>', 'Folder for the files. Default: the current folder.'),
    ['logclient parsers pull --to parsers', 'write all parsers to a folder'],
    ['logclient parsers pull shop', 'write shop.yaml'],
  );
}

async function createParser(
  { client, signal }: Service,
  { tagFields, dropFields, overwrite }: CreateFlags,
  name: string,
  path: string,
): Promise<Parser> {
  const ifExists = overwrite === true ? 'update' : 'error';
  const isTemplate = /\.ya?ml$/i.test(path);
  const text = await readScript(isTemplate ? 'the template' : 'the script', path);
  if (!isTemplate) {
    const fields = { fieldsToTag: tagFields, fieldsToBeRemovedBeforeParsing: dropFields };
    return created(
      client.createParser(name, text, { ...fields, ifExists, signal }),
      ifExists,
      OVERWRITE_HINT,
    );
  }
  if (tagFields !== undefined || dropFields !== undefined) {
    throw usageFailure('--tag-fields and --drop-fields belong to scripts; a template has its own fields.');
  }
  return created(client.createParserFromTemplate(name, text, { ifExists, signal }), ifExists, OVERWRITE_HINT);
}

function withFieldFlags(command: Command): Command {
  return command
    .option('--tag-fields <names>', 'Fields to turn into tags, comma-separated.', nameList)
    .option('--drop-fields <names>', 'Fields to remove before parsing, comma-separated.', nameList);
}

/** @throws CommandFailure if there is nothing to change. */
async function changesOf({ name, script, tagFields, dropFields }: UpdateFlags): Promise<UpdateParserOptions> {
  if ([name, script, tagFields, dropFields].every((value) => value === undefined)) {
    throw usageFailure('nothing to change. Pass --script, --name, --tag-fields or --drop-fields.');
  }
  return {
    name,
    script: script === undefined ? undefined : await readScript('--script', script),
    fieldsToTag: tagFields,
    fieldsToBeRemovedBeforeParsing: dropFields,
  };
}

async function readScript(what: string, file: string): Promise<string> {
  const script = await readTextFile(what, file);
  if (script.trim() === '') throw usageFailure(`${what} ${file} is empty.`);
  return script;
}

/** Finds a parser by name, or by ID. Built-in parsers can't be changed. */
async function ownParser({ client, signal }: Service, name: string): Promise<ParserSummary> {
  const all = await client.listParsers({ signal });
  const parser =
    all.find((each) => each.name === name && !each.isBuiltIn) ?? all.find(({ id }) => id === name);
  if (parser !== undefined) return parser;
  throw new CommandFailure(
    `the repository "${client.repository}" has no parser "${name}" that can be changed. "logclient parsers list" shows its parsers; built-in parsers can't be changed.`,
  );
}

function noParser({ client }: Service, name: string): CommandFailure {
  return new CommandFailure(
    `the repository "${client.repository}" has no parser "${name}". "logclient parsers list" shows its parsers.`,
  );
}

function rowOf({ id, name, isBuiltIn }: ParserSummary): Row {
  return { name, isBuiltIn, id };
}

function detailRowOf(parser: Parser): Row {
  const { fieldsToTag, fieldsToBeRemovedBeforeParsing, script } = parser;
  return {
    ...rowOf(parser),
    tagFields: listed(fieldsToTag),
    dropFields: listed(fieldsToBeRemovedBeforeParsing),
    script,
  };
}

function listed(names: readonly string[]): Worded {
  return new Worded(names, names.join(','));
}
