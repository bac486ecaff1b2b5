import { writeFile } from 'node:fs/promises';
import { countText } from '../../core/count-text.ts';
import { type Diagnostic, fixQuery, type Severity } from '../../language/index.ts';
import { type ColorChoice, createColors } from '../output/colors.ts';
import { CommandFailure, usageFailure } from '../output/command-failure.ts';
import { writeNote, writeOutput } from '../output/standard-output.ts';
import { type EmbeddedQuery, fileSpan } from '../sources/embedded-query.ts';
import { type QueryFile, queriesIn, readQueryFiles } from '../sources/query-files.ts';
import { replaceQueries } from '../sources/replace-queries.ts';
import { type Finding, REPORTS } from './lint-report.ts';
import { queryProblems } from './query-problems.ts';

export interface LintFlags {
  readonly output?: keyof typeof REPORTS;
  readonly fix?: boolean;
  readonly fixSuggestions?: boolean;
  readonly failOn?: Severity;
  readonly color?: ColorChoice;
  readonly key?: readonly string[];
}

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
  const sources = isFix ? await Promise.all(read.map((source) => fixSource(source, flags))) : read;
  const queries = sources.reduce((sum, source) => sum + source.queries.length, 0);
  // Tools such as pre-commit hooks pass single files, which may have no queries.
  const isBroken = sources.some(({ error }) => error !== undefined);
  if (queries === 0 && !isBroken && (read.length === 0 || read.some(({ path }) => !paths.includes(path)))) {
    throw usageFailure(
      `no queries in ${paths.join(', ')}. Queries are .lql and .cql files, lql\`…\` templates in TypeScript and JavaScript, the members queryString, cql, query, search.filter and script of YAML and JSON (--key adds others), and code blocks in Markdown.`,
    );
  }
  const findings = sources.flatMap(findingsIn);
  // With --fix, stdout has the query from stdin.
  const isFilter = isFix && paths.includes('-');
  const isTerminal = (isFilter ? process.stderr : process.stdout).isTTY === true;
  const colors = createColors({ choice: flags.color, isTerminal, environment: process.env });
  const isSevere = (severity: Severity) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failOn);
  const failing = findings.filter(({ severity }) => isSevere(severity));
  const report = REPORTS[output](findings, { colors, sources, failing });
  if (isFilter) process.stderr.write(report);
  else await writeOutput(report);
  const inQueries = queries === 1 ? '1 query' : `${queries} queries`;
  if (failing.length > 0)
    throw new CommandFailure(`${countText(failing.length, 'problem')} in ${inQueries}.`);
  if (output === 'text') writeNote(`No problems in ${inQueries}.`);
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

/** Writes the fixed queries to their file, or to stdout if they come from stdin. */
async function fixSource(source: QueryFile, { fixSuggestions = false, key }: LintFlags): Promise<QueryFile> {
  const text = replaceQueries(source, ({ query, values }) =>
    fixQuery(
      query,
      { unknownParts: values },
      ({ severity, isSuggestion }) => severity !== 'info' && (fixSuggestions || isSuggestion !== true),
    ),
  );
  if (source.path === '-') await writeOutput(text);
  else if (text !== source.text) await writeFile(source.path, text);
  return { ...source, text, ...queriesIn(source.path, text, key) };
}
