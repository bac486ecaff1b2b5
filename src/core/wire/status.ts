/** Response to `GET /api/v1/status`. */
export interface ServiceStatus {
  /** `OK`, `WARN` or `DOWN`; lower case in older versions. */
  readonly status: string;
  readonly version: string;
}
