import { writeFile } from 'node:fs/promises';
import { countText } from '../../core/count-text.ts';
import {
  type Diagnostic,
  describeProblem,
  fixQuery,
  positionAt,
  type Severity,
} from '../../language/index.ts';
import { type ColorChoice, type Colors, createColors } from '../output/colors.ts';
import { CommandFailure, usageFailure } from '../output/command-failure.ts';
import { annotations } from '../output/github.ts';
import { junitXml } from '../output/junit.ts';
import { type FileProblem, sarifLog } from '../output/sarif.ts';
import { writeNote, writeOutput } from '../output/standard-output.ts';
import { type EmbeddedQuery, fileOffset, fileSpan } from '../sources/embedded-query.ts';
import { type QueryFile, queriesIn, readQueryFiles } from '../sources/query-files.ts';
import { replaceQueries, unwrittenNotes } from '../sources/replace-queries.ts';
import { queryProblems } from './query-problems.ts';

export interface LintFlags {
  readonly output?: keyof typeof REPORTS;
  readonly fix?: boolean;
  readonly fixSuggestions?: boolean;
  readonly failOn?: Severity;
  readonly color?: ColorChoice;
  readonly key?: readonly string[];
}

/** What a Sigma rule has, at the start of lines. */
const SIGMA = /^logsource:.*^detection:|^detection:.*^logsource:/ms;
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/**
 * Checks the queries in files, and reports their problems.
 *
 * @throws CommandFailure if a problem is severe enough, or if folders contain no queries.
 */
export async function lint(paths: readonly string[], flags: LintFlags): Promise<void> {
  const { output = 'text', failOn = 'warning' } = flags;
  const read = await readQueryFiles(paths, flags.key);
  const isFix = flags.fix === true || flags.fixSuggestions === true;
  const written = isFix ? await Promise.all(read.map((source) => writeFixes(source, flags))) : [];
  const sources = isFix ? written : read;
  const queries = sources.flatMap((source) => source.queries);
  // Tools such as pre-commit hooks pass single files, which may have no queries.
  const isBroken = sources.some(({ error }) => error !== undefined);
  if (
    queries.length === 0 &&
    !isBroken &&
    (read.length === 0 || read.some(({ path }) => !paths.includes(path)))
  ) {
    throw usageFailure(
      `no queries in ${paths.join(', ')}. Queries are .lql and .cql files, lql\`…\` templates in TypeScript and JavaScript, the members queryString, cql, query, search.filter and script of YAML and JSON (--key adds others), and code blocks in Markdown.`,
    );
  }
  const sigma = sources.find((source) => source.queries.length === 0 && SIGMA.test(source.text));
  if (sigma !== undefined)
    writeNote(`${sigma.path} is a Sigma rule. Convert it with pySigma's CrowdStrike backend.`);
  const findings = sources.flatMap(findingsIn);
  // With --fix, stdout has the query from stdin.
  const isFilter = isFix && paths.includes('-');
  const isTerminal = (isFilter ? process.stderr : process.stdout).isTTY === true;
  const colors = createColors(isTerminal, flags.color);
  const isSevere = (severity: Severity) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failOn);
  const failing = findings.filter(({ severity }) => isSevere(severity));
  const report = REPORTS[output](findings, { colors, sources, failing });
  if (isFilter) process.stderr.write(report);
  else await writeOutput(report);
  const inQueries = queryCount(queries);
  const changed = written.filter(({ fixed }) => fixed.length > 0);
  const fixed = queryCount(changed.flatMap((file) => file.fixed));
  const fixes = changed.length === 0 ? '' : `Fixed ${fixed} in ${countText(changed.length, 'file')}. `;
  if (failing.length > 0)
    throw new CommandFailure(
      `${fixes}${countText(failing.length, 'problem')} in ${inQueries}.${fixHint(sources, findings, flags)}`,
    );
  if (output !== 'text') return;
  const hints = findings.length === 0 ? '' : `, ${countText(findings.length, 'hint')}`;
  writeNote(
    queries.length === 0
      ? `No queries in ${paths.join(', ')}.`
      : `${fixes}No problems${hints} in ${inQueries}.`,
  );
}

/** Which flags fix problems. */
function fixHint(sources: readonly QueryFile[], findings: readonly Finding[], { key }: LintFlags): string {
  const paths = new Set(findings.map(({ path }) => path));
  const found = sources.filter(({ path }) => paths.has(path));
  const certain = found.map((source) => withFixes(source, { key }));
  const all = found.map((source) => withFixes(source, { key, fixSuggestions: true }));
  const fixed = certain.flatMap((file) => file.fixed);
  const fixes = fixed.length === 0 ? '' : ` --fix fixes ${queryCount(fixed)}.`;
  return all.every((file, at) => file.text === certain[at]!.text)
    ? fixes
    : `${fixes} Some have a fix that changes what a query means: --fix-suggestions writes it.`;
}

function queryCount({ length }: readonly EmbeddedQuery[]): string {
  return length === 1 ? '1 query' : `${length} queries`;
}

function findingsIn({ path, text, queries, error }: QueryFile): readonly Finding[] {
  if (error !== undefined) {
    const { offset, message } = error;
    return [{ path, text, span: { start: offset, end: offset }, code: 'yaml', severity: 'error', message }];
  }
  const findings = queries.flatMap((embedded) =>
    queryProblems(embedded.query, embedded.values).map(({ span, fix, ...problem }) => {
      const placed = fix && fixIn(embedded, fix);
      return { ...problem, path, text, span: fileSpan(embedded, span), ...(placed && { fix: placed }) };
    }),
  );
  // Templates can be inside others.
  return findings.sort((a, b) => a.span.start - b.span.start);
}

/** A fix of a file. Undefined if the text of the fix can't be written as it is. */
function fixIn(embedded: EmbeddedQuery, { span, text }: NonNullable<Diagnostic['fix']>): Diagnostic['fix'] {
  const { kind, query, encode } = embedded;
  const isPlain = encode === undefined || encode(text, query[span.end] ?? '') === text;
  return kind === 'fixed' || !isPlain ? undefined : { span: fileSpan(embedded, span), text };
}

/** A file after its fixes. */
interface FixedFile extends QueryFile {
  readonly fixed: readonly EmbeddedQuery[];
  readonly notes: readonly string[];
}

function withFixes(source: QueryFile, { fixSuggestions = false, key }: LintFlags): FixedFile {
  const notes: string[] = [];
  const fix = ({ query, values, kind }: EmbeddedQuery): string =>
    fixQuery(query, { unknownParts: values }, ({ severity, isSuggestion, message }) => {
      const isWanted = severity !== 'info' && (fixSuggestions || isSuggestion !== true);
      // How the rows can differ.
      const [note] = (isWanted && /(?<= instead(?:: [^.]+)?\. )\S.*$/.exec(message)) || [];
      if (note !== undefined && kind !== 'fixed') notes.push(`${source.path}: fixed. ${note}`);
      return isWanted;
    });
  const text = replaceQueries(source, fix);
  const after = { ...source, text, ...queriesIn(source.path, text, key) };
  const fixed = after.queries.filter(({ query }, at) => query !== source.queries[at]?.query);
  return { ...after, fixed, notes: [...notes, ...unwrittenNotes(source, 'fixed', fix)] };
}

/** Writes the fixed queries to their file, or to stdout if they come from stdin. */
async function writeFixes(source: QueryFile, flags: LintFlags): Promise<FixedFile> {
  const fixed = withFixes(source, flags);
  for (const note of fixed.notes) writeNote(note);
  if (source.path === '-') await writeOutput(fixed.text);
  else if (fixed.text !== source.text) await writeFile(source.path, fixed.text);
  return fixed;
}

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
    const { path, severity, message, code, fix: edit, isSuggestion } = finding;
    const { startLine: line, startColumn: column, ...ends } = regionOf(finding);
    const problem = { path, line, column, ...ends, severity, code, message };
    const fix = edit && { fix: { ...edit.span, text: edit.text } };
    return { ...problem, ...fix, ...(isSuggestion && { isSuggestion }) };
  });
  return `${JSON.stringify(rows, undefined, 2)}\n`;
}

/** The first and the last place of a problem in its file. */
function regionOf({ text, span }: Finding) {
  const start = positionAt(text, span.start);
  const end = positionAt(text, span.end);
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

function problemOf(finding: Finding): FileProblem {
  const { path, severity, message, code: title } = finding;
  return { path, level: LEVELS[severity], title, message, region: regionOf(finding) };
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
  github: (findings: readonly Finding[]) => annotations(findings.map(problemOf)),
  junit: junitReport,
  sarif: (findings: readonly Finding[]) => sarifLog(findings.map(problemOf)),
};
