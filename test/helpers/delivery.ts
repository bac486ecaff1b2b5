import { onTestFinished } from 'vitest';
import type { Warning } from '../../src/ingest/report/warning.ts';
import { IngestSink } from './ingest-sink.ts';

/** The setup of a delivery test. */
export interface Delivery {
  /** Closes after the test and its `afterEach`. */
  readonly sink: IngestSink;
  /** The warnings of this test. */
  readonly warnings: Warning[];
  /** Options for the sink and the warnings, with short delays. */
  readonly options: {
    readonly baseUrl: string;
    readonly ingestToken: string;
    readonly minRetryDelayMs: number;
    readonly closeTimeoutMs: number;
    readonly onWarning: (warning: Warning) => void;
  };
}

export async function startDelivery(): Promise<Delivery> {
  const sink = await IngestSink.open();
  onTestFinished(() => sink.close());
  const warnings: Warning[] = [];
  const options = {
    baseUrl: sink.url,
    ingestToken: 'ingest-token-0815',
    minRetryDelayMs: 5,
    closeTimeoutMs: 9_000,
    onWarning: (warning: Warning) => void warnings.push(warning),
  };
  return { sink, warnings, options };
}
