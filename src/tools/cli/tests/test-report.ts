import type { Colors } from '../../output/colors.ts';
import { annotation } from '../../output/github.ts';
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

/** Failures and warnings as annotations of a GitHub workflow. */
export function githubReport(results: readonly TestResult[]): string {
  return results
    .map(({ path: file, line, name, failures, warnings }) => {
      const errors = failures.map((failure) => annotation('error', { file, line }, name, plainText(failure)));
      return [...errors, ...warnings.map((text) => annotation('warning', { file, line }, name, text))].join(
        '',
      );
    })
    .join('');
}

/** Results as JUnit XML. */
export function junitReport(results: readonly TestResult[]): string {
  const suites = byFile(results).map(([path, own]) => {
    const failed = own.filter(({ failures }) => failures.length > 0).length;
    const cases = own.map((result) => testCaseXml(result)).join('');
    return `  <testsuite name="${xml(path)}" tests="${own.length}" failures="${failed}">\n${cases}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`;
}

function testCaseXml({ path, line, name, failures }: TestResult): string {
  const open = `    <testcase classname="${xml(path)}" name="${xml(name)}" file="${xml(path)}" line="${line}"`;
  if (failures.length === 0) return `${open}/>\n`;
  const text = failures.map(plainText).join('\n');
  return `${open}>\n      <failure message="${xml(failures[0]!.message)}">${xml(text)}</failure>\n    </testcase>\n`;
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

function xml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no way to write them.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  );
}
