import { type Diagnostic, describeProblem, positionAt } from '../../language/index.ts';
import type { Colors } from '../output/colors.ts';
import { annotation } from '../output/github.ts';
import { junitXml } from '../output/junit.ts';
import { sarifLog } from '../output/sarif.ts';
import { fileOffset } from '../sources/embedded-query.ts';
import type { QueryFile } from '../sources/query-files.ts';

/** A problem in a file. */
export interface Finding extends Omit<Diagnostic, 'fix'> {
  readonly path: string;
  /** The text of the file. */
  readonly text: string;
  /** What to write instead, by offsets of the file. */
  readonly fix?: Diagnostic['fix'];
}

/** Problems for people: the place, the message, and the line with a caret. */
function textReport(findings: readonly Finding[], { colors }: { readonly colors: Colors }): string {
  const paint = { error: colors.red, warning: colors.yellow, info: colors.cyan };
  return findings
    .map(({ path, text, span, severity, message, code }) => {
      const { line, column } = positionAt(text, span.start);
      const { excerpt } = describeProblem(text, span, message);
      const place = colors.bold(`${path}:${line}:${column}`);
      return `${place} ${paint[severity](severity)} ${message} ${colors.dim(`(${code})`)}\n${excerpt}\n\n`;
    })
    .join('');
}

/** Problems as a JSON array. */
function jsonReport(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => {
    const { path, severity, message, code, fix, isSuggestion } = finding;
    const { startLine: line, startColumn: column, ...ends } = regionOf(finding);
    return {
      path,
      line,
      column,
      ...ends,
      severity,
      code,
      message,
      ...(fix && { fix: { start: fix.span.start, end: fix.span.end, text: fix.text } }),
      ...(isSuggestion && { isSuggestion }),
    };
  });
  return `${JSON.stringify(rows, undefined, 2)}\n`;
}

/** The first and the last place of a problem in its file. */
function regionOf({ text, span }: Finding) {
  const start = positionAt(text, span.start);
  const end = positionAt(text, span.end);
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** Problems as annotations of a GitHub workflow. */
function githubReport(findings: readonly Finding[]): string {
  return findings
    .map((finding) => {
      const { startLine: line, startColumn: col, ...ends } = regionOf(finding);
      const place = { file: finding.path, line, col, ...ends };
      return annotation(COMMANDS[finding.severity], place, finding.code, finding.message);
    })
    .join('');
}

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

/** Problems for code scanning. */
function sarifReport(findings: readonly Finding[]): string {
  return sarifLog(
    findings.map((finding) => {
      const { path, severity, message, code } = finding;
      return { path, ruleId: code, level: LEVELS[severity], message, region: regionOf(finding) };
    }),
  );
}

/** The files, and the problems that are severe enough to fail. */
type Tested = { readonly sources: readonly QueryFile[]; readonly failing: readonly Finding[] };

/** A test case for each query, as JUnit XML. It fails if the query has one of the problems. */
function junitReport(_: readonly Finding[], { sources, failing }: Tested): string {
  return junitXml(
    sources.flatMap(({ path, text, queries, error }) => {
      const own = failing.filter((finding) => finding.path === path);
      if (error !== undefined) return [{ path, line: 1, name: path, failures: own.map(failureOf) }];
      return queries.map((embedded, index) => {
        const start = fileOffset(embedded, 0);
        const { line } = positionAt(text, start);
        const name = embedded.name ?? `query ${index + 1}`;
        const problems = own.filter(({ span }) => start <= span.start && span.start <= embedded.end);
        return { path, line, name, failures: problems.map(failureOf) };
      });
    }),
  );
}

function failureOf({ text, span, message, code }: Finding): { message: string; text: string } {
  const { line, column } = positionAt(text, span.start);
  const { excerpt } = describeProblem(text, span, message);
  return { message: `${message} (${code})`, text: `line ${line}, column ${column}: ${message}\n${excerpt}` };
}

/** The reports by the name of their format. */
export const REPORTS = {
  text: textReport,
  json: jsonReport,
  github: githubReport,
  junit: junitReport,
  sarif: sarifReport,
};
