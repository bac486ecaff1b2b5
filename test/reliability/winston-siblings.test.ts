import { expect, it } from 'vitest';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { runNode } from '../helpers/run-node.ts';

const SIBLINGS = ['Console', 'File', 'DailyRotateFile', 'Http', 'Stream', 'a slow transport'];
const ENDINGS = ['exit', 'throw', 'SIGTERM', 'flush, then kill'];
const FORMS = [
  ['LogTransport', { WORKER: 'yes' }],
  ['LogTransport with worker: false', { WORKER: 'no' }],
  ['logclient/auto', { NODE_OPTIONS: '--import logclient/auto' }],
] as const;

const ROWS = SIBLINGS.flatMap((sibling) =>
  ENDINGS.flatMap((ending, index) => {
    // One form for each sibling and ending: they differ in what they deliver from, not in what winston does.
    const [form, env] = FORMS[(SIBLINGS.indexOf(sibling) + index) % FORMS.length]!;
    return ending === 'flush, then kill' && form === 'logclient/auto' ? [] : [{ sibling, ending, form, env }];
  }),
);

it.concurrent.each(ROWS)(
  '$form delivers all records of one turn beside $sibling, if the program ends with: $ending',
  async ({ sibling, ending, env }) => {
    const sink = await IngestSink.open();
    const settings = { LOGSCALE_URL: sink.url, LOGSCALE_INGEST_TOKEN: 'token' };
    await runNode('test/fixtures/winston-beside.mjs', {
      SIBLING: sibling,
      ENDING: ending,
      ...settings,
      ...env,
    });
    await sink.close();
    const numbers = sink.events.map(({ attributes }) => attributes.n).filter((n) => n !== undefined);
    expect(new Set(numbers).size).toBe(300);
  },
);
