import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { makeFolders } from '../../core/folders.ts';
import { refuseUnknownOptions, requireArray, requireString, requireText } from '../../core/option-checks.ts';
import type { LogEvent } from '../../index.ts';
import { type ReportPageFiles, readReportPageFiles } from '../../server/node/page-files.ts';
import { createsFile } from './new-file.ts';
import { ReportMask } from './report-mask.ts';

/** Options of {@link writeHtmlReport}. */
export interface HtmlReportOptions {
  /** Folder for the report, relative to the current directory. Created if it doesn't exist. */
  readonly dir: string;
  /** Name of the test, for the title and the file name. */
  readonly name: string;
  /** Records of the test, such as the result of `client.query('*', { start })`. Secrets in them are masked. */
  readonly records: readonly LogEvent[];
  /** Why the test failed, shown above the records. Colors of terminals are removed. @default not shown */
  readonly message?: string | undefined;
  /** Query that the report starts with, such as the one that found nothing. @default all records */
  readonly query?: string | undefined;
}

const OWNER = 'writeHtmlReport';

/** Maximum characters of a name, so that its file name has less than 255 bytes, the limit of many file systems. */
const MAX_CHARACTERS = 60;

/**
 * Writes the records of a test to one HTML file with the web page, and returns its absolute path. The file needs no
 * server and no network: queries run in the browser. An existing file is kept; the new one gets a number.
 *
 * @example
 * const path = writeHtmlReport({ dir: 'log-reports', name: testInfo.title, records });
 * await testInfo.attach('logs', { path, contentType: 'text/html' });
 *
 * @throws LogOptionsException
 */
export function writeHtmlReport(options: HtmlReportOptions): string {
  refuseUnknownOptions(OWNER, options, ['dir', 'name', 'records', 'message', 'query']);
  const dir = requireText(OWNER, 'dir', options.dir);
  const name = requireText(OWNER, 'name', options.name);
  requireArray(OWNER, '"records"', options.records, 'records');
  const message = requireString(OWNER, '"message"', options.message ?? '');
  const query = requireString(OWNER, '"query"', options.query ?? '');
  makeFolders(dir);
  const content = htmlReport({ name, message, query, records: options.records }, readReportPageFiles());
  // Workers of a test runner write at the same time, so the file system decides which name is free.
  for (let number = 1; ; number++) {
    const path = resolve(dir, `${fileNameOf(name)}${number === 1 ? '' : `-${number}`}.html`);
    if (createsFile(path, content)) return path;
  }
}

/** A name with letters, digits and hyphens: valid on all systems, and in addresses without escapes. */
function fileNameOf(name: string): string {
  const words = name.normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '-');
  const cut = [...words].slice(0, MAX_CHARACTERS).join('').replace(/^-|-$/g, '');
  // Windows reserves names such as "con".
  return /^(?:|con|prn|aux|nul|com\d|lpt\d)$/i.test(cut) ? `test-${cut}`.replace(/-$/, '') : cut;
}

/** The page in one file. Its content security policy only allows these scripts and styles, and no requests. */
function htmlReport(
  { name, message, query, records }: Required<Omit<HtmlReportOptions, 'dir'>>,
  { scripts: sources, styles, icon }: ReportPageFiles,
): string {
  const times = records.map((record) => Number(record['@timestamp'])).filter(Number.isFinite);
  const report = {
    name: Buffer.from(name).toString(),
    message: stripVTControlCharacters(message),
    query,
    now: times.reduce((latest, time) => Math.max(latest, time), Date.now()),
    records: records.map((record) => {
      // The engine stores all values as strings.
      const fields = Object.entries(record).map(([field, value]) => [field, String(value)]);
      return Object.fromEntries([['@timestamp', '0'], ...fields]);
    }),
  };
  // Escapes `</script` and `<!--`, which would end a script element. Both only occur in strings and regular expressions.
  const scripts = sources.map((code) => code.replace(/<(?=\/script|!--)/gi, '\\x3C'));
  const iconUrl = `data:image/svg+xml;base64,${Buffer.from(icon).toString('base64')}`;
  const style = styles.replaceAll('url(icon.svg)', `url(${iconUrl})`);
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(hashOf).join(' ')}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
  const data = new ReportMask().text(JSON.stringify(report)).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${report.name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')} – logclient</title>
<link rel="icon" href="${iconUrl}">
<style>${style}</style>
<script type="application/json" id="logclient-report">${data}</script>
</head>
<body>
<div class="loading dim">Loading logs…</div>
<noscript>This page needs JavaScript.</noscript>
${scripts.map((script) => `<script type="module">${script}</script>`).join('\n')}
</body>
</html>
`;
}

function hashOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}
