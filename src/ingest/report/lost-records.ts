import type { IngestRecord } from '../record/record.ts';

/** Records that are given up. Those that are compressed are read again only when somebody wants to see them. */
export interface LostRecords {
  readonly length: number;
  readonly read: () => readonly IngestRecord[];
  /** Called when nobody reads them any more. */
  readonly release?: () => void;
}
