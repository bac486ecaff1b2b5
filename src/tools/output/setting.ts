/** A value and its origin. */
export interface Setting<Value = string> {
  readonly value: Value;
  /** For display: `--url`, `LOGSCALE_URL`, `profile "prod" in …`, `default`. */
  readonly origin: string;
}
