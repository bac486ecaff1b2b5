import { countText } from '../../../core/count-text.ts';
import { type ColorChoice, type Colors, createColors } from '../../output/colors.ts';
import { CommandFailure, usageFailure } from '../../output/command-failure.ts';
import { annotations } from '../../output/github.ts';
import { type JunitCase, junitXml } from '../../output/junit.ts';
import { type FileProblem, sarifLog } from '../../output/sarif.ts';
import { writeNote, writeOutput } from '../../output/standard-output.ts';
import { visibleLine } from '../../output/terminal-text.ts';

/** Result of one test case. */
export interface TestResult extends JunitCase<Failure> {
  /** Whether it expects anything. @default true */
  readonly asserts?: boolean;
  /** Problems that don't fail the test. */
  readonly warnings: readonly string[];
}

/** A message, or a difference between expected and actual rows. */
export interface Failure {
  readonly message: string;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
}

/** The flags of every command that runs tests. */
export interface TestFlags {
  readonly output?: 'text' | 'json' | 'github' | 'junit' | 'sarif';
  readonly color?: ColorChoice;
}

/** Reports results on stdout. @throws CommandFailure if a test failed or there is none */
export async function reportResults(
  results: readonly TestResult[],
  { output = 'text', color }: TestFlags,
  {
    gaps = [],
    skipped = [],
  }: { readonly gaps?: readonly FileProblem[]; readonly skipped?: readonly string[] } = {},
): Promise<void> {
  const idle = results.filter(
    ({ asserts = true, failures, warnings }) => !asserts && failures.length + warnings.length === 0,
  );
  const places = idle.map(({ path, line }) => `${path}:${line}`);
  const rest = [
    skipped.length === 0 ? '' : ` Skipped tests without a query: ${skipped.join(', ')}.`,
    idle.length === 0 ? '' : ` Without assertions, which prove nothing: ${places.join(', ')}.`,
  ].join('');
  if (results.length === idle.length) throw usageFailure(`the files have no test cases.${rest}`);
  const colors = createColors(process.stdout.isTTY === true, color);
  const rows = results.map((result) => ({ ...result, passed: result.failures.length === 0 }));
  const cases = results.map(({ failures, ...result }) => ({
    ...result,
    failures: failures.map((failure) => ({ message: failure.message, text: plainText(failure) })),
  }));
  const report = {
    text: () => textReport(results, colors),
    json: () => `${JSON.stringify(rows, undefined, 2)}\n`,
    junit: () => junitXml(cases),
    sarif: () => sarifLog(problemsOf(results)),
    github: () => annotations(problemsOf(results)),
  };
  await writeOutput(report[output]());
  for (const gap of gaps) {
    if (output === 'github') await writeOutput(annotations([gap]));
    else writeNote(`${gap.path}:${gap.region.startLine} ${gap.message}`);
  }
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  const count = countText(results.length - idle.length, 'test');
  if (failed > 0) throw new CommandFailure(`${failed} of ${count} failed.${rest}`);
  writeNote(`logclient: ${count} passed.${rest}`);
}

/** Results for people: a line per file, and the failures below. */
function textReport(results: readonly TestResult[], colors: Colors): string {
  const files = [...new Set(results.map(({ path }) => path))];
  return files
    .map((path) => {
      const own = results.filter((result) => result.path === path);
      const failed = own.filter(({ failures }) => failures.length > 0).length;
      const verdict = failed === 0 ? colors.green('PASS') : colors.red('FAIL');
      const count = failed === 0 ? `${own.length} passed` : `${failed} of ${own.length} failed`;
      const details = own.map((result) => detailsOf(result, colors)).join('');
      return `${verdict} ${colors.bold(path)} ${colors.dim(`(${count})`)}\n${details}`;
    })
    .join('');
}

/** Failures and warnings, for GitHub and code scanning. */
function problemsOf(results: readonly TestResult[]): readonly FileProblem[] {
  return results.flatMap(({ path, line, name: title, failures, warnings }): FileProblem[] => {
    const place = { path, title, region: { startLine: line } };
    const failed = { ...place, level: 'error', ruleId: 'failed-test' } as const;
    const warned = { ...place, level: 'warning', ruleId: 'test-warning' } as const;
    return [
      ...failures.map((failure) => ({ ...failed, message: plainText(failure) })),
      ...warnings.map((message) => ({ ...warned, message })),
    ];
  });
}

function detailsOf({ path, line, name, failures, warnings }: TestResult, colors: Colors): string {
  if (failures.length === 0 && warnings.length === 0) return '';
  const lines = [
    ...failures.flatMap((failure) => failureLines(failure, colors)),
    ...warnings.map((text) => `${colors.yellow('warning')} ${text}`),
  ];
  return `  ${path}:${line} ${visibleLine(name)}\n${lines.map((text) => `    ${text}\n`).join('')}`;
}

function failureLines({ message, expected, actual }: Failure, colors?: Colors): readonly string[] {
  const paint = (color: 'red' | 'green', sign: string, text: string | undefined): readonly string[] =>
    text
      ?.split('\n')
      .map((row) =>
        colors === undefined ? `  ${sign} ${row}` : `  ${colors[color](`${sign} ${visibleLine(row)}`)}`,
      ) ?? [];
  return [...message.split('\n'), ...paint('red', '-', expected), ...paint('green', '+', actual)];
}

function plainText(failure: Failure): string {
  return failureLines(failure).join('\n');
}
