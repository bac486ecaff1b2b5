/** Types in the declarations of every transport. */
export type { FlushSignal } from '../../src/ingest/process/process-signals.ts';
export type { Tags } from '../../src/ingest/record/tags.ts';
export type { DeliveryEvents, Drop, Recovery } from '../../src/ingest/report/delivery-event.ts';
export type { DropReason, IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
export type { Warning, WarningKind } from '../../src/ingest/report/warning.ts';
