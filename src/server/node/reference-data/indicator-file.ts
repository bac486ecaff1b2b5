import {
  CONFIDENCES,
  finish,
  INDICATOR_TYPES,
  type Indicator,
  type IndicatorType,
} from '../../../engine/index.ts';
import { readTable } from '../../lookup-files/lookup-format.ts';
import type { LookupTable } from '../../lookup-files/lookup-table.ts';
import { ResourceError } from '../../registries/resource-error.ts';
import { type ReferenceFile, refuseFile } from './reference-file.ts';

export type IndicatorLookup = (type: IndicatorType, value: string) => readonly Indicator[];

const NONE: readonly Indicator[] = [];

/** Reads a CSV file, or a JSON file if its name says so. @throws LogOptionsException if the file is invalid. */
export function openIndicators(file: ReferenceFile): IndicatorLookup {
  const { headers, rows } = tableIn(file);
  for (const column of ['indicator', 'type']) {
    if (!headers.includes(column)) refuseFile(file, `has no column ${JSON.stringify(column)}`);
  }
  const known = new Map<string, Indicator[]>();
  for (const [index, row] of rows.entries()) {
    const cells = new Map(headers.map((name, position) => [name, row[position] ?? '']));
    const indicator = readIndicator(cells, (problem) =>
      refuseFile(file, `can't be read: in entry ${index + 1} ${problem}`),
    );
    const key = keyOf(indicator.type, indicator.indicator);
    const same = known.get(key) ?? [];
    same.push(indicator);
    known.set(key, same);
  }
  return (type, value) => known.get(keyOf(type, value)) ?? NONE;
}

function tableIn(file: ReferenceFile): LookupTable {
  try {
    return finish(readTable(/\.json$/i.test(file.path) ? 'json' : 'csv', file.content));
  } catch (error) {
    if (error instanceof ResourceError)
      refuseFile(file, `can't be read: ${error.message.replace(/\.$/, '')}`, error);
    throw error;
  }
}

function readIndicator(cells: ReadonlyMap<string, string>, fail: (problem: string) => never): Indicator {
  const {
    indicator = '',
    type: typeText = '',
    malicious_confidence: confidenceText = '',
    ...others
  } = Object.fromEntries(cells);
  if (indicator === '') fail('"indicator" is empty');
  const type = INDICATOR_TYPES.find((known) => known === typeText);
  if (type === undefined) return fail(`"type" must be one of ${INDICATOR_TYPES.join(', ')}`);
  const written = confidenceText.toLowerCase() || 'high';
  const confidence = CONFIDENCES.find((known) => known === written);
  if (confidence === undefined)
    return fail(`"malicious_confidence" must be one of ${CONFIDENCES.join(', ')}`);
  const details = Object.entries(others).filter(([name, value]) => name !== '' && value !== '');
  return { indicator, type, confidence, details: Object.fromEntries(details) };
}

function keyOf(type: IndicatorType, value: string): string {
  return `${type} ${type === 'domain' ? value.toLowerCase() : value}`;
}
