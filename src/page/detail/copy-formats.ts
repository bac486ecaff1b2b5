import { tryOr } from '../../core/try-or.ts';
import { parseJson } from '../records/json-view.tsx';
import type { LogRecord } from '../records/log-record.ts';
import { cliCommand, shellWord } from '../search/cli-command.ts';
import { isEqual } from '../search/query-text.ts';
import { http, repository, search } from '../state/page-state.ts';
import { filtersOf, INITIAL_STATE, printState } from '../state/search-state.ts';
import { serviceUrl } from '../state/service.ts';

/** The text that the application logged if it is JSON, otherwise the fields of the event as JSON. */
export function loggedJson({ row }: LogRecord): string {
  const raw = String(row['@rawstring'] ?? '');
  const value = tryOr(null, () => parseJson(raw));
  if (typeof value === 'object' && value !== null) return raw;
  const fields = Object.entries(row).filter(([name]) => !name.startsWith('@'));
  return JSON.stringify(Object.fromEntries(raw === '' ? fields : [...fields, ['@rawstring', raw]]));
}

/** What finds a record: its ID, or its text if the query may have written the ID. */
function identity({ id, row }: LogRecord): readonly [field: string, value: string] {
  return row['@id'] === id ? ['@id', id] : ['@rawstring', String(row['@rawstring'])];
}

const place = () => ({ repository: repository.value, files: search.value.files });

const queryOf = (record: LogRecord): string => isEqual(...identity(record));

/** Formats for copying a record, by the label of their button. */
export const COPY_FORMATS: Readonly<Record<string, (record: LogRecord) => string>> = {
  JSON: (record) => {
    const text = loggedJson(record);
    return tryOr(text, () => JSON.stringify(parseJson(text), null, 2));
  },
  curl: (record) => {
    const body = JSON.stringify({ queryString: queryOf(record), ...intervalOf(record) });
    const name = encodeURIComponent(repository.value);
    return [
      `curl ${shellWord(`${serviceUrl ?? http.baseUrl}api/v1/repositories/${name}/query`)}`,
      '-H "Authorization: Bearer $LOGSCALE_TOKEN" -H "Content-Type: application/json"',
      `-H "Accept: application/x-ndjson" -d ${shellWord(body)}`,
    ].join(' \\\n  ');
  },
  lql: (record) => {
    const { start, end } = intervalOf(record);
    const [field, value] = identity(record);
    return `await client.query(lql\`${field}=\${${JSON.stringify(value)}}\`, { start: ${start}, end: ${end} })`;
  },
  Link: (record) => {
    const { start, end } = intervalOf(record);
    const filters = filtersOf(queryOf(record));
    const range = { start: String(start), end: String(end), isLive: false };
    return `${http.baseUrl}#${printState({ ...INITIAL_STATE, ...place(), filters, ...range })}`;
  },
  CLI: (record) => {
    const { start, end } = intervalOf(record);
    if (search.value.files.length === 0)
      return cliCommand(queryOf(record), { ...place(), start: `${start}`, end: `${end}` });
    // Lines of a file have no ID, and not always a time.
    const query = isEqual('@rawstring', String(record.row['@rawstring']));
    return cliCommand(query, { ...place(), start: 'all', end: 'now' });
  },
};

function intervalOf({ time }: LogRecord): { readonly start: number; readonly end: number } {
  return { start: time, end: time + 1 };
}
