// Turns a tail into an EventEmitter with one event name per level. Stops on Ctrl-C.
// Needs LOGSCALE_URL, LOGSCALE_TOKEN and LOGSCALE_REPOSITORY.
import { EventEmitter } from 'node:events';
import { LogClient } from 'logclient';

class LogEmitter extends EventEmitter {
  async follow(query, options) {
    try {
      for await (const event of new LogClient().tail(query, options))
        this.emit(`level:${event.level}`, event);
    } catch (error) {
      this.emit('error', error);
    }
    this.emit('end');
  }
}

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

const logs = new LogEmitter();
logs.on('level:warn', (event) => console.log('warning:', event.msg ?? event.message));
logs.on('level:error', (event) => console.log('error:', event.msg ?? event.message));
logs.on('end', () => console.log('end'));
logs.follow('level=*', { signal: stop.signal });
