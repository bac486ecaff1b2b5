import { noReferenceData, type ReferenceData, type Run } from '../../src/engine/index.ts';
import type { FunctionDoc } from '../../src/language/functions/docs/function-doc.ts';
import { EXAMPLE_ADDRESSES, EXAMPLE_EVENTS } from './example-events.ts';
import { runOf } from './run-query.ts';
import { SAMPLE_EVENTS, SAMPLE_FILES, SAMPLE_INTERVAL } from './sample-data.ts';
import { SHOWN_COLUMNS } from './shown-columns.ts';

const referenceData: ReferenceData = {
  ...noReferenceData,
  location: (address) => EXAMPLE_ADDRESSES[address]?.location,
  autonomousSystem: (address) => EXAMPLE_ADDRESSES[address]?.autonomousSystem,
  hostName: (address) => EXAMPLE_ADDRESSES[address]?.hostName,
  indicators: (_, value) => EXAMPLE_ADDRESSES[value]?.indicators ?? [],
};

/** The example of a function as docs/functions.md shows it. */
export function shownExample(name: string, { example }: FunctionDoc): string {
  return example + (SHOWN_COLUMNS[name] ?? '');
}

/** Runs the example of a function on its events. */
export function exampleRun(name: string, doc: FunctionDoc): Run {
  const events = EXAMPLE_EVENTS[name] ?? SAMPLE_EVENTS;
  return runOf(shownExample(name, doc), events, {
    ...SAMPLE_INTERVAL,
    library: { files: SAMPLE_FILES, referenceData },
  });
}
