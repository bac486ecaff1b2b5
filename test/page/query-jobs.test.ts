import { expect, it } from 'vitest';
import { Http } from '../../src/page/api/http.ts';
import { queryResult } from '../../src/page/api/query-jobs.ts';

it('a query that is aborted while it runs has no result, not that of the events so far', async () => {
  const stop = new AbortController();
  let polls = 0;
  const http = new Http({
    baseUrl: 'http://localhost/',
    token: () => '',
    fetch: async (_, init) => {
      if (init?.method === 'POST') return Response.json({ id: 'job' });
      if (init?.method === 'GET') polls += 1;
      if (polls === 2) stop.abort();
      return Response.json({ done: false, events: [{ _count: '1' }], metaData: { pollAfter: 1 } });
    },
  });
  const result = queryResult(http, 'sandbox', { queryString: 'count()', start: '1h' }, stop.signal);
  await expect(result).rejects.toMatchObject({ name: 'AbortError' });
  expect(polls).toBe(2);
});
