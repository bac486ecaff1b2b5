import { search, update } from '../state/page-state.ts';
import type { ChartKind, Filter } from '../state/search-state.ts';
import { joinSteps, quoteField } from './query-text.ts';

/** Adds a condition to the search, once. */
export function addFilter(text: string): void {
  const others = search.value.filters.filter((filter) => filter.text !== text);
  update({ filters: [...others, { text, isOff: false }] });
}

export function removeFilter(filter: Filter): void {
  update({ filters: search.value.filters.filter((known) => known !== filter) });
}

/** Switches a condition off without deleting it, and on again. */
export function switchFilter(filter: Filter): void {
  const switched = { ...filter, isOff: !filter.isOff };
  update({ filters: search.value.filters.map((known) => (known === filter ? switched : known)) });
}

export function toggleLevel(level: string): void {
  const { levels } = search.value;
  update({ levels: levels.includes(level) ? levels.filter((known) => known !== level) : [...levels, level] });
}

/** Shows a field as a column of the table, or no longer. */
export function toggleColumn(name: string): void {
  const { columns } = search.value;
  const isShown = columns.includes(name);
  const changed = isShown ? columns.filter((known) => known !== name) : [...columns, name];
  update({ columns: changed, view: changed.length > 0 ? 'table' : 'list' });
}

/** Counts the found events by a field. */
export function groupBy(field: string): void {
  update({ query: joinSteps([search.value.query, `groupBy(${quoteField(field)})`]) });
}

/** Draws the found events over time, by a field. */
export function chartOf(field: string, chart: ChartKind = 'line'): void {
  update({ query: joinSteps([search.value.query, `timeChart(${quoteField(field)})`]), chart });
}

export function setRange(start: string, end = 'now'): void {
  update({ start, end });
}

/** Hides the records that are there now. Nothing is deleted. */
export function clearRecords(): void {
  update({ clearedAt: Date.now() });
}
