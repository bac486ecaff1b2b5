import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { startLocalServer } from '../../src/server/index.ts';
import { runNode } from '../helpers/run-node.ts';

const COUNT = 100_000;

it('pino.transport() delivers 100,000 records logged at full speed, each once and in order', async () => {
  const server = await startLocalServer();
  try {
    const env = { COUNT: String(COUNT), LOGSCALE_URL: server.url, LOGSCALE_INGEST_TOKEN: server.ingestToken };
    const { code, stderr } = await runNode(join(import.meta.dirname, '../fixtures/log-many.mjs'), env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

    const { url: baseUrl, repository, userToken } = server;
    const client = new LogClient({ baseUrl, repository, userToken });
    expect(await client.query('#app=fast | count()')).toEqual([{ _count: String(COUNT) }]);
    expect(await client.query('count(seq, distinct=true)')).toEqual([{ _count: String(COUNT) }]);
    let next = 0;
    for await (const event of client.streamingQuery<{ seq: string }>('#app=fast | select(seq)')) {
      if (event.seq !== String(next)) expect.fail(`Expected the record ${next}, but ${event.seq} came.`);
      next++;
    }
    expect(next).toBe(COUNT);
  } finally {
    await server.close();
  }
});
