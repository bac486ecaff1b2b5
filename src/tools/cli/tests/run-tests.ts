import { type ColorChoice, createColors } from '../../output/colors.ts';
import { CommandFailure, usageFailure } from '../../output/command-failure.ts';
import { annotations } from '../../output/github.ts';
import { sarifLog } from '../../output/sarif.ts';
import { writeNote, writeOutput } from '../../output/standard-output.ts';
import { type Gap, jsonReport, junitReport, problemsOf, type TestResult, textReport } from './test-report.ts';

/** The flags of every command that runs tests. */
export interface TestFlags {
  readonly output?: 'text' | 'json' | 'github' | 'junit' | 'sarif';
  readonly color?: ColorChoice;
}

/**
 * Reports results on stdout.
 *
 * @throws CommandFailure if a test failed or there is none
 */
export async function reportResults(
  results: readonly TestResult[],
  { output = 'text', color }: TestFlags,
  gaps: readonly Gap[] = [],
): Promise<void> {
  if (results.length === 0) throw usageFailure('the files have no test cases.');
  const colors = createColors(process.stdout.isTTY === true, color);
  const report = {
    text: () => textReport(results, colors),
    json: () => jsonReport(results),
    junit: () => junitReport(results),
    sarif: () => sarifLog(problemsOf(results)),
    github: () => annotations(problemsOf(results)),
  };
  await writeOutput(report[output]());
  for (const { path, line, message } of gaps) {
    const gap = { path, title: 'coverage', message, region: { startLine: line } };
    if (output === 'github') await writeOutput(annotations([{ ...gap, level: 'note' }]));
    else writeNote(`${path}:${line} ${message}`);
  }
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  const count = `${results.length} ${results.length === 1 ? 'test' : 'tests'}`;
  if (failed > 0) throw new CommandFailure(`${failed} of ${count} failed.`);
  writeNote(`logclient: ${count} passed.`);
}
