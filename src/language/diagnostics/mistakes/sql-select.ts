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

/** A whole SELECT as steps; empty if a part of it has no equivalent. */
export function selectQuery(
  [distinct, columns = '', where, group, having, order, limit]: readonly (string | undefined)[],
  context: WriteContext,
): string {
  const steps: string[] = [];
  if (where !== undefined) steps.push(context.filter(where, WHERE));
  const parts = splitOutside(columns, /,/);
  const keys = parts.filter((part) => !part.includes('(') && part !== '*').join(', ');
  const calls = parts.filter((part) => part.includes('(')).join(', ');
  const isGrouped = group !== undefined || calls !== '' || distinct !== undefined;
  // Other keys than those of the rows would need a join.
  if (!isNames(keys) || (isGrouped && sorted(group ?? (distinct && keys) ?? '') !== sorted(keys))) return '';
  if (isGrouped) steps.push(groupedBy(keys, calls));
  if (having !== undefined) steps.push(context.filter(outputNames(having), WHERE));
  const sort = order === undefined ? '' : sortCall(outputNames(order), 'asc', limit);
  if (order !== undefined) steps.push(sort);
  else if (limit !== undefined && !isGrouped) steps.push(context.rows('first', limit));
  else if (limit !== undefined && keys !== '') steps.push(sortCall(keys, 'asc', limit));
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
function outputNames(text: string): string {
  return text.replace(/\b(count|sum|avg|min|max)\([^()]*\)/gi, (_, name: string) => `_${name.toLowerCase()}`);
}
