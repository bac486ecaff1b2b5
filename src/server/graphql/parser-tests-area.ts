import type {
  Parser,
  ParserTestCase,
  ParserTestCaseInput,
  ParserTestResult,
} from '../../core/wire/parsers.ts';
import { QueryTextError } from '../../language/index.ts';
import { runParserTests } from '../parser-tests/index.ts';
import { repositoryLibrary } from '../queries/repository-library.ts';
import type { ServerContext } from '../server-context.ts';
import { type GraphqlArea, type Input, requireRepository } from './area.ts';

export interface RunInput extends Pick<Parser, 'script' | 'fieldsToTag' | 'fieldsToBeRemovedBeforeParsing'> {
  readonly repositoryName: string;
  readonly parserName: string;
  readonly testCases: readonly ParserTestCaseInput[];
}

const MEMBERS_SDL = /* GraphQL */ `
  outputEventIndex: Int!
  assertions: ParserTestCaseOutputAssertions`;

/** Test cases of parsers, and `testParserV2`, which runs them. */
export const parserTestsArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    type ParserTestEvent { rawString: String! }
    type ParserTestCase { event: ParserTestEvent! outputAssertions: [ParserTestCaseAssertionsForOutput!]! }
    type ParserTestCaseAssertionsForOutput { ${MEMBERS_SDL}! }
    type ParserTestCaseOutputAssertions { fieldsNotPresent: [String!]! fieldsHaveValues: [FieldHasValue!]! }
    type FieldHasValue { fieldName: String! expectedValue: String! }
    input ParserTestEventInput { rawString: String! }
    input ParserTestCaseInput {
      event: ParserTestEventInput! outputAssertions: [ParserTestCaseAssertionsForOutputInput!] = []
    }
    input ParserTestCaseAssertionsForOutputInput { ${MEMBERS_SDL}Input! }
    input ParserTestCaseOutputAssertionsInput {
      fieldsNotPresent: [String!] = [] fieldsHaveValues: [FieldHasValueInput!] = []
    }
    input FieldHasValueInput { fieldName: String! expectedValue: String! }
    input LanguageVersionInputType { name: String! }

    input ParserTestRunInput {
      repositoryName: RepoOrViewName! parserName: String! script: String! fieldsToTag: [String!]!
      fieldsToBeRemovedBeforeParsing: [String!]! testCases: [ParserTestCaseInput!]!
      languageVersion: LanguageVersionInputType = { name: "legacy" }
    }

    union ParserTestRunOutput = ParserTestRunCompleted | ParserTestRunAborted
    "The results are in the order of the test cases."
    type ParserTestRunCompleted { results: [ParserTestCaseResult!]! }
    "The script is invalid."
    type ParserTestRunAborted { errorMessage: String! }

    type ParserTestCaseResult {
      outputEvents: [OutputEvent!]!
      "Empty if the test case passed."
      outputFailures: [ParserTestCaseFailuresForOutput!]!
    }
    type OutputEvent { fields: [EventField!]! }
    type EventField { fieldName: String! value: String! }
    type ParserTestCaseFailuresForOutput { outputEventIndex: Int! failures: ParserTestCaseOutputFailures! }
    type ParserTestCaseOutputFailures {
      parsingErrors: [String!]! assertionFailuresOnFields: [AssertionFailureOnField!]! falselyTaggedFields: [String!]!
      arraysWithGaps: [ArrayWithGap!]!
    }

    union AssertionFailureOnField =
      | FieldUnexpectedlyPresent
      | FieldHadUnexpectedValue
      | FieldHadConflictingAssertions
      | AssertionOnFieldWasOrphaned
    type FieldUnexpectedlyPresent { fieldName: String! actualValue: String! }
    type FieldHadUnexpectedValue { fieldName: String! expectedValue: String! actualValue: String }
    type FieldHadConflictingAssertions { fieldName: String! }
    type AssertionOnFieldWasOrphaned { fieldName: String! }
    type ArrayWithGap { lastValidPrefix: String! gaps: [ArrayGap!]! }
    type ArrayGap { startsAtIndex: Int! endsAtIndex: Int! }

    extend type Mutation {
      testParserV2(input: ParserTestRunInput!): ParserTestRunOutput!
    }
  `,
  operations: {
    testParserV2: ({ input }: Input<RunInput>, context) => testParser(input, context),
  },
};

/** Test cases with defaults for members that are omitted or `null`. */
export function testCasesOf(inputs: readonly ParserTestCaseInput[]): readonly ParserTestCase[] {
  return inputs.map(({ event, outputAssertions }) => ({
    event: { rawString: event.rawString },
    outputAssertions: (outputAssertions ?? []).map(({ outputEventIndex, assertions }) => ({
      outputEventIndex,
      assertions: {
        fieldsHaveValues: assertions.fieldsHaveValues ?? [],
        fieldsNotPresent: assertions.fieldsNotPresent ?? [],
      },
    })),
  }));
}

/** Runs the test cases of a parser on the server. */
export function testParser(
  { repositoryName, parserName, testCases, ...parser }: RunInput,
  context: ServerContext,
) {
  const repository = requireRepository(context, repositoryName);
  const library = repositoryLibrary(repository, context.searchDomains);
  try {
    const results = runParserTests(
      { ...parser, name: parserName, testCases: testCasesOf(testCases) },
      { library, repository: repositoryName, now: context.clock.now() },
    );
    return { __typename: 'ParserTestRunCompleted', results: results.map(resultNode) };
  } catch (error) {
    if (!(error instanceof QueryTextError)) throw error;
    return { __typename: 'ParserTestRunAborted', errorMessage: `${error.message}\n${error.excerpt}` };
  }
}

function resultNode({ outputEvents, outputFailures }: ParserTestResult) {
  const eventNode = (event: Readonly<Record<string, string>>) => ({
    fields: Object.entries(event).map(([fieldName, value]) => ({ fieldName, value })),
  });
  return { outputEvents: outputEvents.map(eventNode), outputFailures };
}
