import { LogOptionsException } from '../errors.ts';
import { describe, requireBoolean, requireText } from '../internal/option-checks.ts';
import type { CallOptions } from '../web/call-options.ts';
import type { Parser, ParserSummary } from '../wire/parsers.ts';
import type { Api, OptionChecks } from './resource.ts';

export interface CreateParserOptions extends CallOptions {
  /** Fields that become tags. @default [] */
  fieldsToTag?: readonly string[] | undefined;
  /** Fields to remove before the parser runs. @default [] */
  fieldsToBeRemovedBeforeParsing?: readonly string[] | undefined;
  /** Replaces an existing parser with the same name. @default false */
  allowOverwritingExistingParser?: boolean | undefined;
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
  allowOverwritingExistingParser: requireBoolean,
};

const UPDATE_OPTIONS: OptionChecks<UpdateParserOptions> = {
  name: requireText,
  script: (owner, name, value) => ({ script: requireText(owner, name, value) }),
  fieldsToTag: requireTexts,
  fieldsToBeRemovedBeforeParsing: requireTexts,
};

const PARSER_FIELDS = 'id name isBuiltIn script fieldsToTag fieldsToBeRemovedBeforeParsing';

const LIST = `query ListParsers($repository: String!) {
  repository(name: $repository) { parsers { id name isBuiltIn } }
}`;

const GET = `query GetParser($repository: String!, $name: String!) {
  repository(name: $repository) { parser(name: $name) { ${PARSER_FIELDS} } }
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

export async function getParser(api: Api, name: string, options: CallOptions): Promise<Parser | undefined> {
  const call = api.call('getParser', options);
  const variables = call.inRepository({ name });
  const { parser } = await call.found<{ parser: Parser | null }>('repository', GET, variables);
  return parser ?? undefined;
}

export async function createParser(
  api: Api,
  name: string,
  script: string,
  options: CreateParserOptions,
): Promise<Parser> {
  const call = api.call('createParser', options, CREATE_OPTIONS);
  return call.part('createParserV2', CREATE, {
    ...call.inRepository({ name, script }),
    fieldsToTag: [],
    fieldsToBeRemovedBeforeParsing: [],
    allowOverwritingExistingParser: false,
    ...call.given(),
  });
}

export async function updateParser(api: Api, id: string, options: UpdateParserOptions): Promise<Parser> {
  const call = api.call('updateParser', options, UPDATE_OPTIONS);
  const input = { repositoryName: api.repository, ...call.texts({ id }), ...call.given() };
  return call.part('updateParserV2', UPDATE, { input });
}

export async function deleteParser(api: Api, id: string, options: CallOptions): Promise<boolean> {
  const call = api.call('deleteParser', options);
  return call.part('deleteParser.result', DELETE, call.inRepository({ id }));
}

function requireTexts(owner: string, name: string, values: unknown): readonly string[] {
  if (!Array.isArray(values)) {
    throw new LogOptionsException(
      `${owner}: "${name}" must be an array of strings (got ${describe(values)}).`,
    );
  }
  return values.map((value) => requireText(owner, name, value));
}
