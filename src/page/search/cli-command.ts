import type { SearchState } from '../state/search-state.ts';
import { interval, isRelative } from './time-range.ts';

/** A search whose repository is known. */
type Place = Pick<SearchState, 'repository' | 'files' | 'start' | 'end'>;

/** The command that has the same result. */
export function cliCommand(query: string, { repository, files, ...times }: Place): string {
  const { start, end } = interval(times);
  const [from, to] = [start, end].map((time) => (/^\w+$/.test(`${time}`) ? time : shellWord(`${time}`)));
  const time = isRelative(times) ? `--since ${from}` : `--from ${from} --to ${to}`;
  const place = files.length === 0 ? `--repository ${shellWord(repository)} ` : '';
  return `npx logclient query ${[...files.map(path), query].map(shellWord).join(' ')} ${place}${time}`;
}

/** A path that can't be confused with an option or a query. */
function path(file: string): string {
  return file === '-' || /^[^-].*[./\\]|^[./\\]/.test(file) ? file : `./${file}`;
}

/** An argument of a shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
