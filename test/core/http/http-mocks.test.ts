import { expect, it } from 'vitest';
import { HTTP_MOCKS, mockedOutput } from '../../helpers/http-mocks.ts';
import { lawCases } from '../../helpers/laws.ts';
import { runNode } from '../../helpers/run-node.ts';

it.each(lawCases(HTTP_MOCKS, 3))(
  '$mock intercepts client and in-process delivery when it is installed $order the package is loaded',
  async ({ mock, order }) => {
    const { stdout, stderr } = await runNode('test/fixtures/http-mock.mjs', { MOCK: mock, ORDER: order });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(mockedOutput(mock));
  },
);
