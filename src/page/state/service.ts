import { signal } from '@preact/signals';
import { ApiError } from '../api/http.ts';

/** Address of the service behind `logclient ui`, with a trailing slash; `undefined` on the page of a local server. */
export const serviceUrl = document.querySelector<HTMLMetaElement>('meta[name="logclient-service"]')?.content;

/** What the service has. Next-Gen SIEM has query jobs only. */
export const hasGraphql = signal(true);
export const hasStreams = signal(true);

/** Whether an error means that the service has no such API. */
export function isMissingApi(error: unknown): boolean {
  return error instanceof ApiError && [404, 405, 501].includes(error.status);
}
