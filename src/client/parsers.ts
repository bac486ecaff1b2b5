import { LogOptionsException } from '../core/errors.ts';
import type { CallOptions } from '../core/http/call-options.ts';
import { describe, requireText, requireTexts } from '../core/option-checks.ts';
import type {
  Parser,
  ParserOutputFailures,
  ParserSummary,
  ParserTestCase,
  ParserTestCaseInput,
  ParserTestResult,
} from '../core/wire/parsers.ts';
import { IngestTokenMethods } from './ingest-tokens.ts';
import { type CreateOptions, type OptionChecks, requireIfExists } from './resource.ts';

/** Fields that a parser treats specially. */
export interface ParserFieldsOptions {
  /** Fields that become tags. @default [] (unchanged on update) */
  fieldsToTag?: readonly string[] | undefined;
  /** Fields to remove before the parser runs. @default [] (unchanged on update) */
  fieldsToBeRemovedBeforeParsing?: readonly string[] | undefined;
}

export interface CreateParserOptions extends ParserFieldsOptions, CreateOptions {
  /** Test cases to save with the parser. They are not run. @default [] (unchanged on update) */
  testCases?: readonly ParserTestCaseInput[] | undefined;
}

/** Properties of a parser to test. */
export interface TestParserOptions extends ParserFieldsOptions, CallOptions {
  /** Name of the parser: value of `#type`. @default 'parser' */
  name?: string | undefined;
}

/** Properties of a parser to update. */
export interface UpdateParserOptions extends ParserFieldsOptions, CallOptions {
  /** New name of the parser. */
  name?: string | undefined;
  /** New parser script, in the query language. */
  script?: string | undefined;
  /** New test cases. */
  testCases?: readonly ParserTestCaseInput[] | undefined;
}

const FIELD_OPTIONS = { fieldsToTag: requireTexts, fieldsToBeRemovedBeforeParsing: requireTexts };

const CREATE_OPTIONS: OptionChecks<CreateParserOptions> = {
  ...FIELD_OPTIONS,
  testCases: requireTestCases,
  ifExists: requireIfExists,
};

const TEST_OPTIONS: OptionChecks<TestParserOptions> = { ...FIELD_OPTIONS, name: requireText };

const UPDATE_OPTIONS: OptionChecks<UpdateParserOptions> = {
  name: requireText,
  script: (owner, name, value) => ({ script: requireText(owner, name, value) }),
  ...FIELD_OPTIONS,
  testCases: requireTestCases,
};

interface FoundParser {
  readonly parser: Parser | null;
  readonly parsers?: readonly { readonly id: string; readonly name: string }[];
}

const DETAIL_FIELDS = `script fieldsToTag fieldsToBeRemovedBeforeParsing testCases {
  event { rawString }
  outputAssertions { outputEventIndex assertions { fieldsHaveValues { fieldName expectedValue } fieldsNotPresent } }
}`;

const PARSER_FIELDS = `id name isBuiltIn ${DETAIL_FIELDS} yamlTemplate`;

const LIST = `query ListParsers($repository: String!) {
  repository(name: $repository) { parsers { id name isBuiltIn } }
}`;

const GET = `query GetParser($repository: String!, $name: String!) {
  repository(name: $repository) { parser(name: $name) { ${PARSER_FIELDS} } parsers { id name } }
}`;

const UPDATE = `mutation UpdateParser($input: UpdateParserInputV2!) {
  updateParserV2(input: $input) { ${PARSER_FIELDS} }
}`;

const CREATE = `mutation CreateParser($input: CreateParserInputV2!) {
  createParserV2(input: $input) { ${PARSER_FIELDS} }
}`;

const CREATE_FROM_TEMPLATE = `mutation CreateParserFromTemplate($input: CreateParserFromTemplateInput!) {
  createParserFromTemplate(input: $input) { ${PARSER_FIELDS} }
}`;

const READ_TEMPLATE = `query GenerateParserFromTemplate($input: GenerateParserFromTemplateInput!) {
  generateParserFromTemplate(input: $input) { ${DETAIL_FIELDS} }
}`;

const TEST = `mutation TestParser($input: ParserTestRunInput!) {
  testParserV2(input: $input) {
    ... on ParserTestRunAborted { errorMessage }
    ... on ParserTestRunCompleted {
      results {
        outputEvents { fields { fieldName value } }
        outputFailures {
          outputEventIndex
          failures {
            parsingErrors
            assertionFailuresOnFields {
              __typename
              ... on FieldHadUnexpectedValue { fieldName expectedValue actualValue }
              ... on FieldUnexpectedlyPresent { fieldName unexpectedValue: actualValue }
              ... on FieldHadConflictingAssertions { fieldName }
              ... on AssertionOnFieldWasOrphaned { fieldName }
            }
            falselyTaggedFields
            arraysWithGaps { lastValidPrefix gaps { startsAtIndex endsAtIndex } }
          }
        }
      }
    }
  }
}`;

const DELETE = `mutation DeleteParser($repository: RepoOrViewName!, $id: String!) {
  deleteParser(input: { repositoryName: $repository, id: $id }) { result }
}`;

/** The response to `testParserV2`. */
type TestRun =
  | { readonly errorMessage: string }
  | {
      readonly results: readonly {
        readonly outputEvents: readonly {
          readonly fields: readonly { readonly fieldName: string; readonly value: string }[];
        }[];
        readonly outputFailures: readonly AliasedFailures[];
      }[];
    };

type Failures = ParserOutputFailures['failures'];

/** GraphQL allows no two members of the same name with different types. */
interface AliasedFailures extends Omit<ParserOutputFailures, 'failures'> {
  readonly failures: Omit<Failures, 'assertionFailuresOnFields'> & {
    readonly assertionFailuresOnFields: readonly { readonly unexpectedValue?: string }[];
  };
}

/** Methods of a client for parsers. */
export abstract class ParserMethods extends IngestTokenMethods {
  /** Returns the parsers of the repository, including built-in ones. */
  async listParsers(options: CallOptions = {}): Promise<ParserSummary[]> {
    const call = this.call('listParsers', options);
    return call.listOf(await call.requireDomain('repository', LIST), 'parsers');
  }

  /**
   * Returns the parser with this name or ID, its script and its test cases, or undefined.
   *
   * @example
   * ```ts
   * const script = (await client.getParser('shop'))?.script;
   * ```
   */
  async getParser(nameOrId: string, options: CallOptions = {}): Promise<Parser | undefined> {
    const call = this.call('getParser', options);
    const find = (name: string) =>
      call.requireDomain<FoundParser>('repository', GET, call.inRepository({ name }));
    const { parser, parsers = [] } = await find(nameOrId);
    if (parser !== null) return parser;
    const named = parsers.find(({ id }) => id === nameOrId);
    return named && ((await find(named.name)).parser ?? undefined);
  }

  /**
   * Creates a parser.
   *
   * @param script parser script in the query language.
   * @throws LogHTTPException with the code `LOG_EXISTS` if the name is already in use, or `LOG_INVALID` if the script is
   * invalid.
   *
   * @example
   * ```ts
   * await client.createParser('shop', 'parseJson()', { fieldsToTag: ['service'], ifExists: 'update' });
   * ```
   */
  async createParser(name: string, script: string, options: CreateParserOptions = {}): Promise<Parser> {
    const call = this.call('createParser', options, CREATE_OPTIONS);
    const own = call.ownOptions();
    const input = {
      repositoryName: this.repository,
      ...call.texts({ name, script }),
      fieldsToTag: [],
      fieldsToBeRemovedBeforeParsing: [],
      testCases: [],
      allowOverwritingExistingParser: false,
      ...own,
    };
    return call.createOr<Parser>({
      create: () => call.part('createParserV2', CREATE, { input }),
      find: () => this.getParser(name, call.callOptions),
      update: ({ id }) => this.updateParser(id, { ...call.callOptions, script, ...own }),
    });
  }

  /**
   * Creates a parser from a YAML template, such as `yamlTemplate` of another parser. The name in the template is ignored.
   *
   * @throws LogHTTPException with the code `LOG_EXISTS` if the name is already in use, or `LOG_INVALID` if the template
   * is invalid.
   *
   * @example
   * ```ts
   * const yaml = 'name: shop\nscript: parseJson()\n';
   * await client.createParserFromTemplate('shop', yaml, { ifExists: 'update' });
   * ```
   */
  async createParserFromTemplate(
    name: string,
    yamlTemplate: string,
    options: CreateOptions = {},
  ): Promise<Parser> {
    const call = this.call('createParserFromTemplate', options, { ifExists: requireIfExists });
    const input = { viewName: this.repository, ...call.texts({ name, yamlTemplate }) };
    return call.createOr<Parser>({
      create: () => call.part('createParserFromTemplate', CREATE_FROM_TEMPLATE, { input }),
      find: () => this.getParser(name, call.callOptions),
      update: async ({ id }) => {
        const place = 'generateParserFromTemplate';
        const read = await call.part<Omit<Parser, 'id'>>(place, READ_TEMPLATE, { input: { yamlTemplate } });
        return this.updateParser(id, { ...call.callOptions, ...read });
      },
    });
  }

  /**
   * Runs a parser script on the lines of test cases, and returns one result per test case. Nothing is saved.
   *
   * @param testCases a test case without `outputAssertions` only fails if the parser does.
   * @throws LogHTTPException with the code `LOG_INVALID` if the script is invalid.
   *
   * @example
   * ```ts
   * const [result] = await client.testParser('parseJson()', [{ event: { rawString: '{"level":"error"}' } }]);
   * const level = result?.outputEvents[0]?.level;
   * ```
   */
  async testParser(
    script: string,
    testCases: readonly ParserTestCaseInput[],
    options: TestParserOptions = {},
  ): Promise<ParserTestResult[]> {
    const call = this.call('testParser', options, TEST_OPTIONS);
    const { name: parserName = 'parser', ...fields } = call.ownOptions();
    const input = {
      repositoryName: this.repository,
      parserName,
      ...call.texts({ script }),
      fieldsToTag: [],
      fieldsToBeRemovedBeforeParsing: [],
      ...fields,
      testCases: requireTestCases('testParser', 'testCases', testCases),
    };
    const run = await call.part<TestRun>('testParserV2', TEST, { input });
    if ('errorMessage' in run) {
      throw call.rejection('LOG_INVALID', `The service can't run the parser. ${run.errorMessage}`);
    }
    return run.results.map(({ outputEvents, outputFailures }) => ({
      outputEvents: outputEvents.map((event) =>
        Object.fromEntries(event.fields.map(({ fieldName, value }) => [fieldName, value])),
      ),
      outputFailures: outputFailures.map(withoutAliases),
    }));
  }

  /**
   * Updates the given properties of the parser with this name or ID.
   *
   * @throws LogHTTPException with the code `LOG_NOT_FOUND` if there is no such parser.
   *
   * @example
   * ```ts
   * await client.updateParser('shop', { script: 'kvParse()' });
   * ```
   */
  async updateParser(nameOrId: string, options: UpdateParserOptions): Promise<Parser> {
    const call = this.call('updateParser', options, UPDATE_OPTIONS);
    const changes = { repositoryName: this.repository, ...call.ownOptions() };
    const run = (id: string) => call.part<Parser>('updateParserV2', UPDATE, { input: { ...changes, id } });
    const updated = await call.ifListed({ nameOrId }, run, (options) => this.listParsers(options));
    return call.existing('parser', nameOrId, updated);
  }

  /**
   * Deletes the parser with this name or ID.
   *
   * @returns false if there is no such parser.
   *
   * @example
   * ```ts
   * const wasDeleted = await client.deleteParser('shop');
   * ```
   */
  async deleteParser(nameOrId: string, options: CallOptions = {}): Promise<boolean> {
    const call = this.call('deleteParser', options);
    const run = (id: string) => call.part<boolean>('deleteParser.result', DELETE, call.inRepository({ id }));
    return call.ifListed({ nameOrId }, run, (options) => this.listParsers(options), false);
  }
}

function withoutAliases({ outputEventIndex, failures }: AliasedFailures): ParserOutputFailures {
  const assertionFailuresOnFields = failures.assertionFailuresOnFields.map(
    ({ unexpectedValue, ...failure }) =>
      unexpectedValue === undefined ? failure : { ...failure, actualValue: unexpectedValue },
  ) as unknown as Failures['assertionFailuresOnFields'];
  return { outputEventIndex, failures: { ...failures, assertionFailuresOnFields } };
}

function requireTestCases(owner: string, name: string, cases: unknown): readonly ParserTestCase[] {
  const list = Array.isArray(cases) ? cases : undefined;
  const at = list?.findIndex((each) => typeof each?.event?.rawString !== 'string');
  if (list !== undefined && at === -1) return list;
  throw new LogOptionsException(
    `${owner}: "${name}" must be an array of test cases such as { event: { rawString: 'a line' } } (got ${at === undefined ? describe(cases) : `${describe(list?.[at])} at index ${at}`}).`,
  );
}
