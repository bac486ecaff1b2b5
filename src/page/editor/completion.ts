import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { quoteField, quoteString } from '../search/query-text.ts';
import { records } from '../state/results.ts';
import { SERVICE_FUNCTIONS } from './language.ts';

/** Records from which fields and values are suggested. */
const SAMPLE = 500;
const MAX_VALUES = 50;
const MAX_VALUE_LENGTH = 80;

/** Suggests functions, and the fields and values of the records that are shown. */
export function complete(context: CompletionContext): CompletionResult | null {
  const value = context.matchBefore(/[#@]?[\w.[\]]+\s*!?=\s*"?[\w.:/-]*$/);
  if (value !== null) return completeValue(value.text, context.pos);
  const word = context.matchBefore(/[#@]?[A-Za-z_][\w.:[\]]*$/);
  if (word === null && !context.explicit) return null;
  return {
    from: word?.from ?? context.pos,
    options: [...fieldOptions(), ...FUNCTIONS],
    validFor: /^[#@]?[\w.:[\]]*$/,
  };
}

const FUNCTIONS: readonly Completion[] = SERVICE_FUNCTIONS.map((name) => ({
  label: name,
  type: 'function',
  apply: `${name}(`,
  boost: -1,
}));

function fieldOptions(): Completion[] {
  const counts = new Map<string, number>();
  for (const { row } of records.value.slice(-SAMPLE)) {
    for (const name in row) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({
    label: name,
    type: 'field',
    apply: `${quoteField(name)}=`,
    boost: name.startsWith('@') ? 0 : 10 + count / SAMPLE,
  }));
}

function completeValue(text: string, position: number): CompletionResult | null {
  const [, field = '', typed = ''] = /^([#@]?[\w.[\]]+)\s*!?=\s*("?[\w.:/-]*)$/.exec(text) ?? [];
  const counts = new Map<string, number>();
  for (const { row } of records.value.slice(-SAMPLE)) {
    const value = row[field];
    if (value === undefined || String(value).length > MAX_VALUE_LENGTH) continue;
    counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  }
  if (counts.size === 0) return null;
  const frequent = [...counts].sort(([, left], [, right]) => right - left).slice(0, MAX_VALUES);
  const options = frequent.map(([value, count]) => ({
    label: /^[\w.:/-]+$/.test(value) && !typed.startsWith('"') ? value : quoteString(value),
    type: 'value',
    detail: String(count),
  }));
  return { from: position - typed.length, options, validFor: /^"?[\w.:/-]*$/ };
}
