import type { Colors } from '../../output/colors.ts';
import { junitXml } from '../../output/junit.ts';
import type { FileProblem } from '../../output/sarif.ts';
import { visibleLine } from '../../output/terminal-text.ts';

/** Result of one test case. */
export interface TestResult {
  readonly path: string;
  /** Line of the test case, counted from 1. */
  readonly line: number;
  readonly name: string;
  /** Empty if the test case passed. */
  readonly failures: readonly Failure[];
  /** Problems that don't fail the test. */
  readonly warnings: readonly string[];
}

/** What no test decides: a filter, or an arm of `case` or `match`. */
export interface Gap {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** A message, or a difference between expected and actual rows. */
export interface Failure {
  readonly message: string;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
}

/** Results for people: a line per file, and the failures below. */
export function textReport(results: readonly TestResult[], colors: Colors): string {
  return byFile(results)
    .map(([path, own]) => {
      const failed = own.filter(({ failures }) => failures.length > 0).length;
      const verdict = failed === 0 ? colors.green('PASS') : colors.red('FAIL');
      const count = failed === 0 ? `${own.length} passed` : `${failed} of ${own.length} failed`;
      const details = own.map((result) => detailsOf(result, colors)).join('');
      return `${verdict} ${colors.bold(path)} ${colors.dim(`(${count})`)}\n${details}`;
    })
    .join('');
}

/** Failures and warnings, for GitHub and code scanning. */
export function problemsOf(results: readonly TestResult[]): readonly FileProblem[] {
  return results.flatMap(({ path, line, name: title, failures, warnings }): FileProblem[] => {
    const place = { path, title, region: { startLine: line } };
    return [
      ...failures.map((failure) => {
        return { ...place, level: 'error', ruleId: 'failed-test', message: plainText(failure) } as const;
      }),
      ...warnings.map((message) => {
        return { ...place, level: 'warning', ruleId: 'test-warning', message } as const;
      }),
    ];
  });
}

/** Results as JUnit XML. */
export function junitReport(results: readonly TestResult[]): string {
  return junitXml(
    results.map(({ failures, ...result }) => ({
      ...result,
      failures: failures.map((failure) => ({ message: failure.message, text: plainText(failure) })),
    })),
  );
}

/** Results as a JSON array. */
export function jsonReport(results: readonly TestResult[]): string {
  const rows = results.map(({ failures, ...result }) => ({
    ...result,
    passed: failures.length === 0,
    failures,
  }));
  return `${JSON.stringify(rows, undefined, 2)}\n`;
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
    (text ?? '')
      .split('\n')
      .filter(() => text !== undefined)
      .map((row) =>
        colors === undefined ? `  ${sign} ${row}` : `  ${colors[color](`${sign} ${visibleLine(row)}`)}`,
      );
  return [...message.split('\n'), ...paint('red', '-', expected), ...paint('green', '+', actual)];
}

function plainText(failure: Failure): string {
  return failureLines(failure).join('\n');
}

function byFile(results: readonly TestResult[]): readonly (readonly [string, readonly TestResult[]])[] {
  const files = [...new Set(results.map(({ path }) => path))];
  return files.map((path) => [path, results.filter((result) => result.path === path)]);
}
