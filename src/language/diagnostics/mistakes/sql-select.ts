import {
  aggregates,
  fieldArray,
  fieldList,
  groupCall,
  isNames,
  sortCall,
  splitOutside,
} from './conversions.ts';
import { WHERE, type WriteContext } from './dialect.ts';

const CALL = /\b(count|sum|avg|min|max)\([^()]*\)/gi;

/** A whole SELECT as steps; empty if a part of it has no equivalent. */
export function selectQuery(
  [distinct, columns = '', where, group, having, order, limit]: readonly (string | undefined)[],
  context: WriteContext,
): string {
  const steps: string[] = [];
  const add = (part: string, step: string): void => {
    if (step === '') context.fail?.(part);
    steps.push(step);
  };
  if (where !== undefined) add(`WHERE ${where}`, context.filter(where, WHERE));
  const parts = splitOutside(columns, /,/);
  const keys = parts.filter((part) => !part.includes('(') && part !== '*').join(', ');
  const read = `${having ?? ''} ${order ?? ''}`.match(CALL) ?? [];
  const others = read.filter((call) => !columns.toLowerCase().includes(call.toLowerCase()));
  const calls = [...parts.filter((part) => part.includes('(')), ...new Set(others)].join(', ');
  const isGrouped = group !== undefined || calls !== '' || distinct !== undefined;
  const groups = group ?? (distinct && keys) ?? '';
  // Other keys than those of the rows would need a join.
  if (!isNames(keys) || (isGrouped && sorted(groups) !== sorted(keys))) add(columns, '');
  else if (isGrouped) add(columns, groupedBy(keys, calls));
  if (having !== undefined) add(`HAVING ${having}`, context.filter(outputNames(having, parts), WHERE));
  const sort = order === undefined ? '' : sortCall(outputNames(order, parts), 'asc', limit);
  if (order !== undefined) add(`ORDER BY ${order}`, sort);
  else if (limit !== undefined && !isGrouped) add(`LIMIT ${limit}`, context.rows('first', limit));
  else if (limit !== undefined && keys !== '') steps.push(sortCall(keys, 'asc', limit));
  if (others.length > 0) steps.push(`drop([${outputNames([...new Set(others)].join(', '), parts)}])`);
  if (!isGrouped && keys !== '') steps.push(`select(${fieldArray(keys)})`);
  return steps.includes('') ? '' : steps.join(' | ') || '*';
}

function groupedBy(keys: string, calls: string): string {
  if (calls === '') return `groupBy(${fieldList(keys)}, function=[])`;
  return keys === '' ? aggregates(calls) : groupCall(calls, keys);
}

function sorted(names: string): string {
  return splitOutside(names, /,/).sort().join();
}

/** `count(*)` and `avg(ms)` of an aggregate, as the names of its fields. */
function outputNames(text: string, columns: readonly string[]): string {
  return text.replace(CALL, (call, name: string) => {
    const column = columns.find((one) => one.toLowerCase().startsWith(`${call.toLowerCase()} as `));
    return column?.slice(call.length + 4).trim() ?? `_${name.toLowerCase()}`;
  });
}
