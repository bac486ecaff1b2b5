import { refuseUnknownOptions, requireText } from '../core/option-checks.ts';
import { testLogs } from './report/test-logs.ts';

/** Settings for all tests of a test runner. */
export interface LogTestSettings {
  /**
   * Folder for HTML reports, relative to the current directory. For each failed test that logged records, the test
   * runner writes one file with the records and the web page, and prints a link to it.
   *
   * @default no reports
   */
  htmlReport?: string | undefined;
}

const OWNER = 'configureLogTests';

/**
 * Configures the tests of vitest or Jest. Call it in a setup file; each call replaces all settings.
 *
 * @example
 * configureLogTests({ htmlReport: 'log-reports' });
 *
 * @throws LogOptionsException
 */
export function configureLogTests(settings: LogTestSettings): void {
  refuseUnknownOptions(OWNER, settings, ['htmlReport']);
  const { htmlReport } = settings;
  testLogs().htmlReport = htmlReport === undefined ? undefined : requireText(OWNER, 'htmlReport', htmlReport);
}
