// Prints the errors of each service. Needs LOGSCALE_URL, LOGSCALE_REPOSITORY and LOGSCALE_TOKEN, or a local server.
import { LogClient } from 'logclient';
import { queryErrors } from './queries/errors.lql.ts';

const rows = await queryErrors(new LogClient(), { level: 'error' }, { start: '1h' });
for (const { '#service': service = 'unknown service', _count, _max = 0 } of rows) {
  console.log(`${service}: ${_count} errors, at most ${Math.round(_max)} ms`);
}
