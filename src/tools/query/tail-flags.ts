import type { OutputFlags } from '../output/output-flags.ts';
import type { ConnectionFlags } from '../settings/connection-flags.ts';

/** The flags of `logclient tail`. */
export interface TailFlags extends ConnectionFlags, OutputFlags {
  readonly last?: number;
  readonly since?: number | string;
  readonly limit?: number;
  readonly highlight?: readonly RegExp[];
  readonly exclude?: readonly RegExp[];
  readonly param?: Readonly<Record<string, string>>;
}
