import { signal } from '@preact/signals';
import { LogHTTPException } from '../../core/errors.ts';

/** Address of the service behind `logclient ui`, with a trailing slash; `undefined` on the page of a local server. */
export const serviceUrl = document.querySelector<HTMLMetaElement>('meta[name="logclient-service"]')?.content;

/** Whether the server is inside of the page. */
export const isPlayground = document.querySelector('meta[name="logclient-play"]') !== null;

const data = document.getElementById('logclient-report')?.textContent;
const report: { readonly name: string; readonly message: string } | undefined =
  data === undefined ? undefined : JSON.parse(data);

/** Name of the test whose report this page is; `undefined` on the page of a server. */
export const reportName = report?.name;

/** Why that test failed; empty if unknown. */
export const failureMessage = report?.message ?? '';

/** Whether the service has these APIs. Next-Gen SIEM and reports only have query jobs. */
export const hasGraphql = signal(reportName === undefined);
export const hasStreams = signal(reportName === undefined);

/** Whether an error means that the service has no such API. */
export function isMissingApi(error: unknown): boolean {
  return error instanceof LogHTTPException && [404, 405, 501].includes(error.statusCode);
}
