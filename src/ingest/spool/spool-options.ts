import { resolve } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import type { Disk } from '../../core/disk.ts';
import {
  requireInteger,
  requireOneOf,
  requireOptions,
  requireText,
  resolveOptions,
} from '../../core/option-checks.ts';
import type { BatchLimits } from '../batch/batch-builder.ts';
import type { BatchFormat } from '../batch/batch-format.ts';
import type { SpoolDestination } from './destination-key.ts';
import type { RedactRecord } from './segment-queue.ts';

/** When spooled records are flushed to disk; see {@link SpoolOptions.fsync}. */
export type SpoolSync = 'never' | 'interval' | 'always';

/** Options of a spool, which keeps records on disk until they are delivered. */
export interface SpoolOptions {
  /**
   * Directory on a local disk; created if missing. Processes on the same machine can share it. If one exits with
   * undelivered records, another with the same destination sends them.
   */
  directory: string;
  /**
   * Maximum size of the events on disk, in bytes, excluding tags and a small overhead.
   *
   * @default 1_073_741_824 (1 GiB)
   */
  maxBytes?: number | undefined;
  /**
   * When records are flushed to disk so that they survive power loss. They always survive a crash, including SIGKILL. With `never`, the operating system decides; with
   * `interval`, once per second; with `always`, before each record is accepted, which is slow.
   *
   * @default 'interval'
   */
  fsync?: SpoolSync | undefined;
  /**
   * Approximate size of each spool file, in bytes.
   *
   * @default one eighth of `maxBytes`, but at least 4_096 and at most 8_388_608
   */
  segmentBytes?: number | undefined;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** Options with their defaults. The directory is an absolute path. */
export type ResolvedSpoolOptions = ReturnType<typeof resolveSpoolOptions>;

/** Settings of a spool and its parts. */
export interface SpoolSettings extends ResolvedSpoolOptions {
  readonly destination: SpoolDestination;
  readonly format?: BatchFormat;
  readonly clock: Clock;
  readonly disk: Disk;
  /** Limits of batches, which can change. */
  readonly limits: BatchLimits;
  /**
   * Called when the disk fails or recovers, and when damaged files are found. Messages contain no token.
   *
   * @param isRare true if the message must also be shown shortly after another one.
   */
  readonly onTrouble: (message: string, isRare?: boolean) => void;
  /** Called when counted records can't be read. */
  readonly onLost: (records: number, message: string) => void;
  /** Total size of the records that are not delivered or dropped. Only adoption enforces `maxBytes`. */
  readonly openBytes: () => number;
  /** Called when records of an exited process were added. */
  readonly onAdopted?: (records: number) => void;
  /** Applied to records of other processes. */
  readonly redact?: RedactRecord | undefined;
}

/** @throws LogOptionsException */
export function resolveSpoolOptions(owner: string, options: SpoolOptions) {
  requireOptions(owner, options);
  const { directory, maxBytes = 1024 * MIB, fsync = 'interval', segmentBytes } = options;
  return Object.freeze(
    resolveOptions(owner, options, {
      directory: () => resolve(requireText(owner, 'directory', directory)),
      maxBytes: () => requireInteger(owner, 'maxBytes', maxBytes, { min: 1 }),
      fsync: () => requireOneOf(owner, 'fsync', fsync, ['never', 'interval', 'always']),
      segmentBytes: () =>
        segmentBytes === undefined
          ? Math.min(8 * MIB, Math.max(4 * KIB, Math.floor(maxBytes / 8)))
          : requireInteger(owner, 'segmentBytes', segmentBytes, { min: 1, max: 1024 * MIB }),
    }),
  );
}
