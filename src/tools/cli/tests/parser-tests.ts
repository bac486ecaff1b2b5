import { basename, dirname } from 'node:path';
import { misspelledHints } from '../../../core/field-hints.ts';
import { meantName } from '../../../core/nearest-name.ts';
import { fieldNames } from '../../../core/records/field-names.ts';
import { shortenText } from '../../../core/shorten-text.ts';
import type { ParserAssertionFailure, ParserTestResult } from '../../../core/wire/parsers.ts';
import { LogException } from '../../../index.ts';
import { QueryTextError } from '../../../language/index.ts';
import {
  type LocatedParserTemplate,
  readParserTemplate,
  runParserTests,
  textLibrary,
  YamlError,
} from '../../../server/parser-tests/index.ts';
import { visibleLine } from '../../output/terminal-text.ts';
import { readTextFile } from '../../settings/input-file.ts';
import { filesAt, formatOf, type QueryFile } from '../../sources/query-files.ts';
import { CPS_VERSIONS, type CpsVersion, cpsProblems } from './parsing-standard.ts';
import { libraryOf } from './test-files.ts';
import { type Failure, reportResults, type TestFlags, type TestResult } from './test-report.ts';

export interface ParserTestFlags extends TestFlags {
  /** Version of the CrowdStrike Parsing Standard to check; true means the newest. */
  readonly cps?: CpsVersion | true;
}

const NAME_LENGTH = 60;
const IS_TEMPLATE = /^script:|(?:^[\s-]*|[{,]\s*)["']?test_?cases["']?\s*:/im;

/** Runs the test cases of parser templates. @throws CommandFailure if a test failed */
export async function testParsers(paths: readonly string[], flags: ParserTestFlags): Promise<void> {
  const templates = await readTemplates(paths);
  const version = flags.cps === true ? CPS_VERSIONS.at(-1) : flags.cps;
  const results = await Promise.all(templates.map(({ path, text }) => testTemplate(path, text, version)));
  await reportResults(results.flat(), flags);
}

export type TemplateFile = Pick<QueryFile, 'path' | 'text'>;

/** The templates on the command line. In folders, other files are skipped, unless they have test cases. */
export async function readTemplates(paths: readonly string[]): Promise<readonly TemplateFile[]> {
  const { named, found } = await filesAt(paths, (path) => /^(?:yaml|json)$/.test(formatOf(path) ?? ''));
  const read = async (path: string) => ({ path, text: await readTextFile('the template', path) });
  const files = await Promise.all([...named, ...found].map(read));
  return files.filter(({ path, text }) => named.includes(path) || IS_TEMPLATE.test(text));
}

async function testTemplate(
  path: string,
  text: string,
  cps: CpsVersion | undefined,
): Promise<readonly TestResult[]> {
  try {
    const template = readParserTemplate(text);
    const library = textLibrary(await libraryOf(dirname(path)));
    const missing: string[] = [];
    // Parsers may use files that only the service has.
    const onMissingFile = (name: string): void => {
      const what = `the lookup file "${name}" does not exist, so match() is skipped.`;
      missing.push(`${what} Put ${basename(name)} into ${dirname(path)}.`);
    };
    return runParserTests(template, { library, onMissingFile }).map((tested, index) => {
      const assertions = template.testCases[index]!.outputAssertions.map((each) => each.assertions);
      // Names in the script may differ on purpose.
      const absent = assertions.flatMap(({ fieldsNotPresent }) => fieldsNotPresent);
      const asked = absent.filter((name) => !template.script.includes(name));
      const hints = misspelledHints(asked, fieldNames(tested.outputEvents));
      return {
        path,
        line: template.testCaseLines[index]!,
        name: nameOf(template, index),
        asserts: cps !== undefined || assertions.flatMap(Object.values).some(({ length }) => length > 0),
        failures: [...hints.map((message) => ({ message })), ...failuresOf(tested, cps)],
        warnings: [...(index === 0 ? missing : []), ...warningsOf(tested)],
      };
    });
  } catch (error) {
    const isYaml = error instanceof YamlError;
    const isScript = error instanceof QueryTextError;
    if (!isYaml && !isScript && !(error instanceof LogException)) throw error;
    const message = isScript ? `The script is invalid. ${error.message}\n${error.excerpt}` : error.message;
    const line = isYaml ? error.line : 1;
    return [{ path, line, name: 'template', failures: [{ message }], warnings: [] }];
  }
}

/** The start of the line, because test cases have no names. */
function nameOf({ testCases }: LocatedParserTemplate, index: number): string {
  const line = visibleLine(testCases[index]!.event.rawString.trim());
  return `${index + 1}. ${shortenText(line, NAME_LENGTH)}`;
}

/** The differences from the expected events, and the rules of the CrowdStrike Parsing Standard that events break. */
function failuresOf(
  { outputEvents, outputFailures }: ParserTestResult,
  cps: CpsVersion | undefined,
): readonly Failure[] {
  const placeOf = (index: number): string =>
    outputEvents.length > 1 || outputEvents[index] === undefined ? `event ${index}: ` : '';
  const differences = outputFailures.flatMap(({ outputEventIndex, failures }): readonly Failure[] => {
    const [event, place] = [outputEvents[outputEventIndex], placeOf(outputEventIndex)];
    if (event === undefined) {
      const count = outputEvents.length === 1 ? '1 event' : `${outputEvents.length} events`;
      const names = failures.assertionFailuresOnFields.map(({ fieldName }) => fieldName).join(', ');
      return [{ message: `${place}the parser made ${count} (asserted fields: ${names})` }];
    }
    return [
      ...failures.parsingErrors.map((message) => ({ message: `${place}${message}` })),
      ...failures.assertionFailuresOnFields.map((failure) => differenceOf(failure, place, event)),
    ];
  });
  if (cps === undefined) return differences;
  const broken = outputEvents.flatMap((event, index) =>
    cpsProblems(event, cps).map((message) => ({ message: `${placeOf(index)}${message}` })),
  );
  return [...differences, ...broken];
}

function differenceOf(
  failure: ParserAssertionFailure,
  place: string,
  event: Readonly<Record<string, string>>,
): Failure {
  const message = `${place}${failure.fieldName}`;
  switch (failure.__typename) {
    case 'FieldHadUnexpectedValue': {
      const { fieldName, expectedValue, actualValue } = failure;
      const other = actualValue === null ? meantName(fieldName, Object.keys(event)) : '';
      const hint = actualValue === null ? ` does not exist. ${other}`.trimEnd() : '';
      return { message: `${message}${hint}`, expected: expectedValue, actual: actualValue ?? undefined };
    }
    case 'FieldUnexpectedlyPresent':
      return { message: `${message} must not exist`, actual: failure.actualValue };
    case 'FieldHadConflictingAssertions':
      return { message: `${message} has several assertions; keep one` };
    default:
      return { message: `${message} can't be checked: there is no such event` };
  }
}

function warningsOf({ outputFailures }: ParserTestResult): readonly string[] {
  return outputFailures.flatMap(({ failures: { falselyTaggedFields, arraysWithGaps } }) => [
    ...falselyTaggedFields.map(
      (name) => `${name} starts with "#" but is no tag, so the service can't search it. Add it to tagFields.`,
    ),
    ...arraysWithGaps.flatMap(({ lastValidPrefix, gaps }) =>
      gaps.map(
        ({ startsAtIndex, endsAtIndex }) =>
          `${lastValidPrefix}[${startsAtIndex}] is missing, so array functions ignore ${lastValidPrefix}[${endsAtIndex}].`,
      ),
    ),
  ]);
}
