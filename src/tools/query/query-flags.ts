import type { OutputOptions } from '../output/output-flags.ts';
import type { ConnectionFlags } from '../settings/connection-flags.ts';
import type { GateFlags } from './gate.ts';
import type { TimeFlags } from './time-flags.ts';

/** The flags of `logclient query`. */
export interface QueryFlags extends ConnectionFlags, OutputOptions, TimeFlags, GateFlags {
  readonly file?: string;
  readonly stdin?: boolean;
  readonly live?: boolean;
  readonly follow?: boolean;
  readonly limit?: number;
  readonly param?: Readonly<Record<string, string>>;
  readonly maxMemory?: number;
}
