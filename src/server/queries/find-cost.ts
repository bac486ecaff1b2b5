import { CostCollector, type IngestCost } from '../../core/records/ingest-cost.ts';
import type { Sink } from '../../engine/index.ts';
import type { Collection } from './find-patterns.ts';

export function costCollection(): Collection<IngestCost> {
  const costs = new CostCollector();
  const sink: Sink = {
    from:
      ({ stored }) =>
      (index) =>
        costs.addEvent(stored.row(index)),
  };
  return { sink, result: () => costs.result() };
}
