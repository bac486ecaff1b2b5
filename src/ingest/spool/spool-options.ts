import { resolve } from 'node:path';
import {
  refuseUnknownOptions,
  requireInteger,
  requireOneOf,
  requireText,
} from '../../internal/option-checks.ts';

/**
 * When records on the disk are made safe against a loss of power. Against the death of the process, SIGKILL included,
 * they are safe in any case.
 *
 * - `never`: the operating system decides.
 * - `interval`: once a second, off the event loop.
 * - `always`: before a record counts as taken; slow.
 */
export type SpoolSync = 'never' | 'interval' | 'always';

/** Keeps records on a disk until they are delivered. */
export interface SpoolOptions {
  /**
   * A folder on a local disk. It is made when it isn't there. Processes of one machine can share it: what one leaves
   * behind, another one with the same destination sends.
   */
  directory: string;
  /**
   * The bytes that events may take on the disk; their tags and a little more come on top.
   *
   * @default 1_073_741_824 (1 GiB)
   */
  maxBytes?: number | undefined;
  /**
   * When records are made safe against a loss of power: when the operating system pleases (`never`), once a second, or
   * before each counts as taken, which is slow (`always`).
   *
   * @default 'interval'
   */
  fsync?: SpoolSync | undefined;
  /** About the size of one file, in bytes. @default an eighth of `maxBytes`, at least 65_536, at most 8_388_608 */
  segmentBytes?: number | undefined;
}

const OPTION_NAMES = Object.keys({
  directory: 0,
  maxBytes: 0,
  fsync: 0,
  segmentBytes: 0,
} satisfies Record<keyof SpoolOptions, 0>);

const KIB = 1024;
const MIB = 1024 * KIB;

export interface ResolvedSpoolOptions {
  /** Absolute. */
  readonly directory: string;
  readonly maxBytes: number;
  readonly fsync: SpoolSync;
  readonly segmentBytes: number;
}

/**
 * @param owner who takes the options, for messages, such as `Ingester "spool"`.
 * @throws LogOptionsException
 */
export function resolveSpoolOptions(owner: string, options: SpoolOptions): ResolvedSpoolOptions {
  refuseUnknownOptions(owner, options, OPTION_NAMES);
  const { directory, maxBytes = 1024 * MIB, fsync = 'interval' } = options;
  const bytes = requireInteger(owner, 'maxBytes', maxBytes, { min: 1 });
  const segmentBytes = options.segmentBytes ?? Math.min(8 * MIB, Math.max(64 * KIB, Math.floor(bytes / 8)));
  return Object.freeze({
    directory: resolve(requireText(owner, 'directory', directory)),
    maxBytes: bytes,
    fsync: requireOneOf(owner, 'fsync', fsync, ['never', 'interval', 'always']),
    segmentBytes: requireInteger(owner, 'segmentBytes', segmentBytes, { min: 1, max: 1024 * MIB }),
  });
}
