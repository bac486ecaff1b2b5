/** A value, and where it came from. */
export interface Setting<Value = string> {
  readonly value: Value;
  /** For people: `--url`, `LOGSCALE_URL`, `profile "prod" in …`, `default`. */
  readonly origin: string;
}
