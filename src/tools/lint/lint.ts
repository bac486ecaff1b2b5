import { writeFile } from 'node:fs/promises';
import { check, fixQuery, type Severity } from '../../language/index.ts';
import { type ColorChoice, createColors } from '../output/colors.ts';
import { CommandFailure, usageFailure } from '../output/command-failure.ts';
import { writeNote, writeOutput } from '../output/standard-output.ts';
import { type Finding, githubReport, jsonReport, textReport } from './lint-report.ts';
import { type QuerySource, queriesIn, readQuerySources } from './query-sources.ts';
import { replaceQueries } from './replace-queries.ts';

export interface LintFlags {
  readonly output?: 'text' | 'json' | 'github';
  readonly fix?: boolean;
  readonly fixSuggestions?: boolean;
  readonly failOn?: Severity;
  readonly color?: ColorChoice;
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/**
 * Checks the queries in files, and reports their problems.
 *
 * @throws CommandFailure if a problem is severe enough, or if folders contain no queries.
 */
export async function lint(paths: readonly string[], flags: LintFlags): Promise<void> {
  const { output = 'text', failOn = 'warning' } = flags;
  const read = await readQuerySources(paths);
  const isFix = flags.fix === true || flags.fixSuggestions === true;
  const sources = isFix
    ? await Promise.all(read.map((source) => fixSource(source, flags.fixSuggestions === true)))
    : read;
  const queries = sources.reduce((sum, source) => sum + source.queries.length, 0);
  // Tools such as pre-commit hooks pass single files, which may have no queries.
  if (queries === 0 && (read.length === 0 || read.some(({ path }) => !paths.includes(path)))) {
    throw usageFailure(
      `no queries in ${paths.join(', ')}. Queries are .lql and .cql files, and lql\`…\` templates in TypeScript and JavaScript.`,
    );
  }
  const findings = sources.flatMap(findingsIn);
  // With --fix, stdout has the query from stdin.
  const isFilter = isFix && paths.includes('-');
  const isTerminal = (isFilter ? process.stderr : process.stdout).isTTY === true;
  const colors = createColors({ choice: flags.color, isTerminal, environment: process.env });
  const report = {
    text: () => textReport(findings, colors),
    json: () => jsonReport(findings),
    github: () => githubReport(findings),
  };
  if (isFilter) process.stderr.write(report[output]());
  else await writeOutput(report[output]());
  const severe = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  const count = findings.filter(({ severity }) => severe.includes(severity)).length;
  if (count > 0)
    throw new CommandFailure(`${counted(count, 'problem')} in ${counted(queries, 'query', 'queries')}.`);
  if (output === 'text') writeNote(`No problems in ${counted(queries, 'query', 'queries')}.`);
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function findingsIn({ path, text, queries }: QuerySource): readonly Finding[] {
  const found = queries.flatMap(({ query, offset, values }) =>
    check(query, { unknownParts: values }).map(({ span, fix, ...problem }) => ({
      ...problem,
      path,
      text,
      span: { start: span.start + offset, end: span.end + offset },
      ...(fix && {
        fix: { span: { start: fix.span.start + offset, end: fix.span.end + offset }, text: fix.text },
      }),
    })),
  );
  // Templates can be inside others.
  return found.sort((a, b) => a.span.start - b.span.start);
}

/** Writes the fixed queries to their file, or to stdout if they come from stdin. */
async function fixSource(source: QuerySource, hasSuggestions: boolean): Promise<QuerySource> {
  const text = replaceQueries(source, ({ query, values }) =>
    fixQuery(
      query,
      { unknownParts: values },
      ({ severity, isSuggestion }) => severity !== 'info' && (hasSuggestions || isSuggestion !== true),
    ),
  );
  if (source.path === '-') await writeOutput(text);
  else if (text !== source.text) await writeFile(source.path, text);
  return { ...source, text, queries: queriesIn(source.path, text) };
}
