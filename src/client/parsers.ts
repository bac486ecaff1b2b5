import { LogOptionsException } from '../errors.ts';
import { describe, requireText } from '../internal/option-checks.ts';
import type { CallOptions } from '../web/call-options.ts';
import type { Parser, ParserSummary } from '../wire/parsers.ts';
import { type Api, type CreateOptions, type OptionChecks, requireIfExists } from './resource.ts';

export interface CreateParserOptions extends CreateOptions {
  /** Fields that become tags. @default [] (unchanged on update) */
  fieldsToTag?: readonly string[] | undefined;
  /** Fields to remove before the parser runs. @default [] (unchanged on update) */
  fieldsToBeRemovedBeforeParsing?: readonly string[] | undefined;
}

/** Properties of a parser to update. */
export interface UpdateParserOptions extends CallOptions {
  /** New name of the parser. */
  name?: string | undefined;
  /** New parser script, in the query language. */
  script?: string | undefined;
  /** Fields that become tags. */
  fieldsToTag?: readonly string[] | undefined;
  /** Fields to remove before the parser runs. */
  fieldsToBeRemovedBeforeParsing?: readonly string[] | undefined;
}

const CREATE_OPTIONS: OptionChecks<CreateParserOptions> = {
  fieldsToTag: requireTexts,
  fieldsToBeRemovedBeforeParsing: requireTexts,
  ifExists: requireIfExists,
};

const UPDATE_OPTIONS: OptionChecks<UpdateParserOptions> = {
  name: requireText,
  script: (owner, name, value) => ({ script: requireText(owner, name, value) }),
  fieldsToTag: requireTexts,
  fieldsToBeRemovedBeforeParsing: requireTexts,
};

interface FoundParser {
  readonly parser: Parser | null;
  readonly parsers?: readonly { readonly id: string; readonly name: string }[];
}

const PARSER_FIELDS = 'id name isBuiltIn script fieldsToTag fieldsToBeRemovedBeforeParsing';

const LIST = `query ListParsers($repository: String!) {
  repository(name: $repository) { parsers { id name isBuiltIn } }
}`;

const GET = `query GetParser($repository: String!, $name: String!) {
  repository(name: $repository) { parser(name: $name) { ${PARSER_FIELDS} } parsers { id name } }
}`;

const UPDATE = `mutation UpdateParser($input: UpdateParserInputV2!) {
  updateParserV2(input: $input) { ${PARSER_FIELDS} }
}`;

const CREATE = `mutation CreateParser($repository: RepoOrViewName!, $name: String!, $script: String!, $fieldsToTag: [String!]!, $fieldsToBeRemovedBeforeParsing: [String!]!, $allowOverwritingExistingParser: Boolean!) {
  createParserV2(input: {
    repositoryName: $repository, name: $name, script: $script, testCases: [], fieldsToTag: $fieldsToTag,
    fieldsToBeRemovedBeforeParsing: $fieldsToBeRemovedBeforeParsing,
    allowOverwritingExistingParser: $allowOverwritingExistingParser
  }) { ${PARSER_FIELDS} }
}`;

const DELETE = `mutation DeleteParser($repository: RepoOrViewName!, $id: String!) {
  deleteParser(input: { repositoryName: $repository, id: $id }) { result }
}`;

export async function listParsers(api: Api, options: CallOptions): Promise<ParserSummary[]> {
  const call = api.call('listParsers', options);
  return call.listOf(await call.found('repository', LIST), 'parsers');
}

export async function getParser(
  api: Api,
  nameOrId: string,
  options: CallOptions,
): Promise<Parser | undefined> {
  const call = api.call('getParser', options);
  const find = (name: string) => call.found<FoundParser>('repository', GET, call.inRepository({ name }));
  const { parser, parsers = [] } = await find(nameOrId);
  if (parser !== null) return parser;
  const named = parsers.find(({ id }) => id === nameOrId);
  return named && ((await find(named.name)).parser ?? undefined);
}

export async function createParser(
  api: Api,
  name: string,
  script: string,
  options: CreateParserOptions,
): Promise<Parser> {
  const call = api.call('createParser', options, CREATE_OPTIONS);
  const given = call.given();
  const variables = {
    ...call.inRepository({ name, script }),
    fieldsToTag: [],
    fieldsToBeRemovedBeforeParsing: [],
    allowOverwritingExistingParser: false,
    ...given,
  };
  return call.createOr<Parser>({
    create: () => call.part('createParserV2', CREATE, variables),
    find: () => getParser(api, name, call.callOptions),
    update: ({ id }) => updateParser(api, id, { ...call.callOptions, script, ...given }),
  });
}

export async function updateParser(
  api: Api,
  nameOrId: string,
  options: UpdateParserOptions,
): Promise<Parser> {
  const call = api.call('updateParser', options, UPDATE_OPTIONS);
  call.texts({ nameOrId });
  const changes = { repositoryName: api.repository, ...call.given() };
  const updated = await call.ifListed(
    nameOrId,
    (id) => call.part<Parser>('updateParserV2', UPDATE, { input: { ...changes, id } }),
    (options) => listParsers(api, options),
  );
  return call.existing('parser', nameOrId, updated);
}

export async function deleteParser(api: Api, nameOrId: string, options: CallOptions): Promise<boolean> {
  const call = api.call('deleteParser', options);
  call.texts({ nameOrId });
  const deleted = await call.ifListed(
    nameOrId,
    (id) => call.part<boolean>('deleteParser.result', DELETE, call.inRepository({ id })),
    (options) => listParsers(api, options),
  );
  return deleted ?? false;
}

function requireTexts(owner: string, name: string, values: unknown): readonly string[] {
  if (!Array.isArray(values)) {
    throw new LogOptionsException(
      `${owner}: "${name}" must be an array of strings (got ${describe(values)}).`,
    );
  }
  return values.map((value) => requireText(owner, name, value));
}
