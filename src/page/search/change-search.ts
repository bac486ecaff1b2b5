import { quoteField } from '../../core/query-text.ts';
import { LEVEL_FIELDS } from '../../core/records/record-fields.ts';
import { parseTree } from '../../language/syntax-tree.ts';
import { serverNow } from '../api/server-clock.ts';
import { search, update } from '../state/page-state.ts';
import { facts, table } from '../state/results.ts';
import { type Filter, filtersOf, INITIAL_STATE } from '../state/search-state.ts';
import { durationBeside, isAmount } from './field-sample.ts';
import { fullQuery, joinSteps } from './query-text.ts';

/** Adds a condition to the search unless it has it already. */
export function addFilter(text: string): void {
  update({ filters: filtersWith([text]) });
}

function filtersWith(texts: readonly string[]): readonly Filter[] {
  const others = search.value.filters.filter(({ text }) => !texts.includes(text));
  return [...others, ...filtersOf(...texts)];
}

export function removeFilter(filter: Filter): void {
  update({ filters: search.value.filters.filter((known) => known !== filter) });
}

/** Turns a condition off without deleting it, or on again. */
export function switchFilter(filter: Filter): void {
  const switched = { ...filter, isOff: !filter.isOff };
  update({ filters: search.value.filters.map((known) => (known === filter ? switched : known)) });
}

/** A list with an item that it lacked, or without one that it had. */
export function toggled(list: readonly string[], item: string): readonly string[] {
  return list.includes(item) ? list.filter((known) => known !== item) : [...list, item];
}

/** Adds a level to the selected ones, or removes it. */
export function toggleLevel(level: string): void {
  const chosen = toggled(search.value.levels, level);
  update({ levels: chosen, levelFields: chosen.length > 0 ? LEVEL_FIELDS : INITIAL_STATE.levelFields });
}

/** Adds a field to the columns of the table, or removes it. */
export function toggleColumn(name: string): void {
  const columns = toggled(search.value.columns, name);
  update({ columns, view: columns.length > 0 ? 'table' : 'list' });
}

/** Counts the matching events by a field, with their durations. */
export function groupBy(field: string): void {
  const duration = durationBeside(field);
  const numbers = duration === undefined ? '' : `, function=[count(), ${averageOf(duration)}]`;
  update({ query: joinSteps([eventSteps(), `groupBy(${quoteField(field)}${numbers})`]) });
}

/** Draws the matching events over time: their number by a field, or the values of a numeric field. */
export function chartOf(field: string): void {
  const drawn = isAmount(field) ? `function=[${averageOf(field)}]` : quoteField(field);
  update({ query: joinSteps([eventSteps(), `timeChart(${drawn})`]) });
}

/** The average and the maximum of a field. Their names end with the name of the field, to keep its unit. */
function averageOf(field: string): string {
  const call = (name: string): string =>
    `${name}(${quoteField(field)}, as=${quoteField(`${name}_${field}`)})`;
  return `${call('avg')}, ${call('max')}`;
}

/** Shows the events behind a row of an aggregate. */
export function showEvents(conditions: readonly string[]): void {
  const steps = eventSteps();
  if (steps === '') update({ query: '', filters: filtersWith(conditions) });
  // The fields may be created by the steps.
  else update({ query: joinSteps([steps, conditions.join(' ')]) });
}

/** The steps of the query whose rows are events: those before the first aggregate. */
function eventSteps(): string {
  const { query } = search.value;
  if (table.value === undefined || facts.value === undefined) return query;
  // The service counts the filters and levels as steps, too.
  const others = fullQuery({ ...search.value, query: '' }) === '' ? 0 : 1;
  const { filterQuery } = facts.value;
  const count = filterQuery === '*' ? 0 : parseTree(filterQuery).steps.length - others;
  const last = count > 0 ? parseTree(query).steps[count - 1] : undefined;
  return query.slice(0, last?.span.end ?? 0);
}

export function setRange(start: string, end = 'now'): void {
  update({ start, end });
}

/** Hides the current records. Nothing is deleted. */
export function clearRecords(): void {
  update({ clearedAt: serverNow() });
}
