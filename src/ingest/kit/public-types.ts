/** Types in the declarations of every transport. */
export type { FlushSignal } from '../process/process-signals.ts';
export type { Tags } from '../record/tags.ts';
export type { DeliveryEvents, Drop, Recovery } from '../report/delivery-event.ts';
export type { DropReason, IngesterStats } from '../report/ingester-stats.ts';
export type { Warning, WarningKind } from '../report/warning.ts';
