/** The answer to `GET /api/v1/status`. */
export interface ServiceStatus {
  /** `OK`, `WARN` or `DOWN`; older versions write it in lower case. */
  readonly status: string;
  readonly version: string;
}
