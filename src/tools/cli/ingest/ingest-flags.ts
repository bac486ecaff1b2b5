import type { ConnectionFlags } from '../../settings/connection-flags.ts';

export interface IngestFlags extends ConnectionFlags {
  readonly follow?: boolean;
  readonly onlyNew?: boolean;
  readonly parser?: string;
  readonly text?: boolean;
  readonly timezone?: string;
  readonly tag?: Readonly<Record<string, string>>;
  readonly field?: Readonly<Record<string, string>>;
  /** In seconds. */
  readonly retryTimeout?: number;
  readonly format?: 'structured' | 'hec';
  readonly redact?: boolean;
  readonly redactKey?: readonly string[];
  readonly echo?: boolean;
  readonly quiet?: boolean;
}
