// Prints warnings and errors as they arrive. Stops on Ctrl-C.
// Needs LOGSCALE_URL, LOGSCALE_TOKEN and LOGSCALE_REPOSITORY.
import { LogClient } from 'logclient';

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

for await (const event of new LogClient().tail('level=warn or level=error', { signal: stop.signal })) {
  console.log(new Date(event['@timestamp']).toISOString(), event.level, event.msg ?? event.message);
}
