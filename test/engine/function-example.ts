import { noReferenceData, type ReferenceData, type Run } from '../../src/engine/index.ts';
import type { FunctionDoc } from '../../src/language/functions/docs/function-doc.ts';
import {
  SAMPLE_EVENTS,
  SAMPLE_FILES,
  SAMPLE_INTERVAL,
} from '../../src/language/functions/docs/sample-data.ts';
import { EXAMPLE_EVENTS } from './example-events.ts';
import { runOf } from './run-query.ts';

/** One address is known. */
const ADDRESS = '198.51.100.7';
const referenceData: ReferenceData = {
  ...noReferenceData,
  location: (address) =>
    address === ADDRESS
      ? { country: 'DK', city: 'Aarhus', state: '82', latitude: 56.16, longitude: 10.21 }
      : undefined,
  autonomousSystem: (address) =>
    address === ADDRESS ? { number: 64500, organization: 'Example Net' } : undefined,
  hostName: (address) => (address === ADDRESS ? 'scanner.example.net' : undefined),
  indicators: (type, value) =>
    value === ADDRESS ? [{ indicator: value, type, confidence: 'high', details: {} }] : [],
};

/** Runs the example of a function on its events. */
export function exampleRun(name: string, { example }: FunctionDoc): Run {
  const events = EXAMPLE_EVENTS[name] ?? SAMPLE_EVENTS;
  return runOf(example, events, { ...SAMPLE_INTERVAL, library: { files: SAMPLE_FILES, referenceData } });
}
