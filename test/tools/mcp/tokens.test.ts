import { describe, expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { startLocalServer } from '../../../src/server/index.ts';
import { maskTokens } from '../../../src/tools/mcp/mask-tokens.ts';
import { accessTo } from '../../helpers/cli-run.ts';
import { lawCases } from '../../helpers/laws.ts';
import { connectMcp, type McpConnection } from '../../helpers/mcp-client.ts';

/** Fragments of a token in a text: any of this many characters. */
const FRAGMENT = 9;

/** @param at least this many characters in a row are a leak; fewer occur by chance. */
function fragmentsIn(text: string, token: string): string[] {
  const starts = Array.from({ length: token.length - FRAGMENT + 1 }, (_, start) => start);
  const lower = text.toLowerCase();
  return starts
    .map((start) => token.slice(start, start + FRAGMENT).toLowerCase())
    .filter((fragment) => lower.includes(fragment));
}

interface Logged extends McpConnection {
  readonly token: string;
  readonly send: (events: readonly Readonly<Record<string, string>>[]) => Promise<void>;
}

async function connectLogged(): Promise<Logged> {
  const server = await startLocalServer();
  onTestFinished(() => server.close());
  const { url: baseUrl, repository, userToken: token } = server;
  const client = new LogClient({ baseUrl, repository, userToken: token });
  const send: Logged['send'] = async (events) => {
    const timestamp = Date.now();
    await client.ingestJsonData([{ events: events.map((attributes) => ({ timestamp, attributes })) }]);
  };
  return { ...(await connectMcp({ env: accessTo(server) })), token, send };
}

const CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['summary', {}],
  ['query', { query: '*' }],
  ['query', { query: '*', fields: ['msg'] }],
  ['query', { query: 'groupBy(msg)' }],
  ['query', { query: 'nothing=here' }],
  ['summary', { show: 'patterns' }],
  ['summary', { show: 'fields' }],
  ['context', { trace_id: 'every-event' }],
  ['tail_until', { start: '1h', count: 1 }],
];

/** Lengths at which tools cut values: names, constant values, patterns, cells. */
const CUTS = [60, 80, 120, 250, 300, 500];

describe('The token of the connection', { timeout: 120_000 }, () => {
  it.each(lawCases(CUTS, 1))(
    'is in no response of a tool, at whatever offset a value is cut to %d',
    async (length) => {
      const { call, token, send } = await connectLogged();
      const offsets = lawCases([...Array(token.length + 1).keys()], 6);
      await send(
        offsets.map((offset) => ({
          msg: `${'-'.repeat(Math.max(0, length - offset))}${token}${'+'.repeat(300)}`,
          trace: 'every-event',
        })),
      );
      for (const [tool, args] of CALLS) {
        for (const maxTokens of [300, 20_000]) {
          const { text, isError } = await call(tool, { ...args, maxTokens });
          expect(isError, text).toBe(false);
          expect(fragmentsIn(text, token), `${tool} ${JSON.stringify(args)}`).toEqual([]);
        }
      }
    },
  );

  it('is in no response of a tool, at whatever offset the response is cut', async () => {
    const { call, token, send } = await connectLogged();
    const value = `${token} `.repeat(40);
    await send([
      { msg: value, level: token, service: token, [`name-${token}`]: token, trace: 'every-event' },
    ]);
    await send([{ msg: `error ${token}`, err: value, trace: 'every-event' }]);
    for (const [tool, args] of lawCases(CALLS, 2)) {
      for (const more of lawCases([...Array(Math.ceil(token.length / 4) + 2).keys()], 6)) {
        const { text } = await call(tool, { ...args, maxTokens: 300 + more });
        expect(fragmentsIn(text, token), tool).toEqual([]);
      }
    }
  });

  it('is in no error of a tool, at whatever offset the message is cut', async () => {
    const { call, client, token } = await connectLogged();
    for (const length of lawCases([...Array(65).keys()], 8)) {
      const before = '-'.repeat(length);
      for (const [tool, args] of [
        ['query', { query: 'count()', start: before + token }],
        ['query', { query: `${before}${token} | unknown(` }],
        ['context', { id: before + token }],
      ] as const) {
        const { text } = await call(tool, args);
        const leaks = fragmentsIn(text, token);
        // The start of an excerpt that begins within the token is not a prefix: the agent has sent that token itself.
        const prefix = token.slice(0, FRAGMENT).toLowerCase();
        expect(leaks.includes(prefix), `${tool} ${text}`).toBe(false);
      }
    }
    await expect(client.readResource({ uri: 'logclient://functions/none' })).rejects.toThrow('no function');
  });
});

describe('maskTokens()', () => {
  it('replaces a token in any case, and a prefix of 8 or more characters at a cut, and drops one of 4 or more before the mark of a cut', () => {
    const token = 'AbC~123.xyz-789';
    expect(maskTokens(`a ${token}b ${token.toUpperCase()}`, [token])).toBe('a [token]b [token]');
    for (let length = 0; length <= token.length; length++) {
      const prefix = token.slice(0, length);
      for (const cut of ['…', '\t', '\nnext', '']) {
        const isDropped = length >= 4 && cut === '…';
        const shown = length >= 8 ? '[token]' : isDropped ? '' : prefix;
        expect(maskTokens(`a ${prefix}${cut}`, [token])).toBe(`a ${shown}${cut}`);
      }
      expect(maskTokens(`${prefix} other`, [token])).toBe(
        `${length === token.length ? '[token]' : prefix} other`,
      );
    }
  });

  const RANDOM = 'k3Jd9QvX2mZt7LpR~bW8sYc4Hf6Gn1TaE5uVo0Kj';
  const WORDS = 'my-own-ingest-token';

  it.each([RANDOM, WORDS])('replaces %s in base64 at each alignment, and percent-encoded', (token) => {
    for (const user of ['', 'a', 'ab', 'abc', 'user']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(`${user}:${token}`).toString(encoding);
        const masked = maskTokens(`Basic ${encoded}`, [token]);
        expect(masked).toContain('[token]');
        const left = masked.replace('Basic ', '').replace('[token]', '');
        // What is left depends on at most two characters of the token at each end.
        expect(left.length).toBeLessThan(Buffer.from(`${user}:`).toString(encoding).length + 10);
      }
    }
    const percent = [...token].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');
    expect(maskTokens(`?token=${percent}&a=1`, [token])).toBe('?token=[token]&a=1');
    expect(maskTokens(encodeURIComponent(token).replaceAll('~', '%7E'), [token])).toBe('[token]');
  });

  it('replaces suffixes of 8 or more characters after a cut, and inner parts only of random tokens', () => {
    expect(maskTokens(`…${RANDOM.slice(-8)}`, [RANDOM])).toBe('…[token]');
    expect(maskTokens(`a\t${WORDS.slice(-9)} b`, [WORDS])).toBe('a\t[token] b');
    expect(maskTokens(`a ${RANDOM.slice(5, 20)} b`, [RANDOM])).toBe('a [token] b');
    expect(maskTokens(`a ${RANDOM.slice(5, 12)} b`, [RANDOM])).toBe(`a ${RANDOM.slice(5, 12)} b`);
    expect(maskTokens('the own-ingest-queue', [WORDS])).toBe('the own-ingest-queue');
  });
});
