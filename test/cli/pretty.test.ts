import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { eventLinesFormat } from '../../src/cli/output/event-lines.ts';
import { prettyFormat } from '../../src/cli/output/pretty.ts';
import type { Row, RowShape, Surface } from '../../src/cli/output/row-format.ts';
import { sourceColors } from '../../src/cli/output/source-colors.ts';

const EVENTS: RowShape = { isAggregate: false, columns: undefined, isEndless: false };
const surface: Surface = {
  isTerminal: true,
  width: 100,
  colors: pc.createColors(false),
  timeZone: 'UTC',
  draws: true,
  warn: () => {},
};

const STACK = [
  'Error: boom',
  '    at pay (/app/pay.js:3:9)',
  '    at next (/app/node_modules/express/lib/router.js:1:1)',
  '    at node:internal/process/task_queues:1:1',
  '    at main (/app/main.js:9:1)',
].join('\n');

/** What winston's `handleExceptions` logs. */
const EXCEPTION: Row = {
  '@timestamp': 1_700_000_000_123,
  '@id': 'x',
  '@rawstring': '{}',
  '#repo': 'sandbox',
  '#service': 'shop',
  level: 'error',
  message: `uncaughtException: boom\n${STACK}`,
  stack: STACK,
  'error.stack': STACK,
  exception: 'true',
  'process.pid': '7',
  'process.cwd': '/app',
  'os.uptime': '1',
  'trace[0].line': '3',
  'trace[1].line': '4',
  order: '{"id":7,"items":["tea"]}',
};

describe('-o pretty', () => {
  it.each([60, 100, 200])(
    'shows a field per line, nested JSON and one folded stack in %i columns',
    (width) => {
      expect(prettyFormat(EVENTS, { ...surface, width }).rows([EXCEPTION])).toBe(`\
2023-11-14 22:13:20.123  error  shop  uncaughtException: boom
  exception  true
  order      {
               "id": 7,
               "items": [
                 "tea"
               ]
             }
  Error: boom
      at pay (/app/pay.js:3:9)
      … 2 frames of packages
      at main (/app/main.js:9:1)
  ${width < 80 ? '@id, @rawstring, #repo, process.* (2)…' : '@id, @rawstring, #repo, process.* (2), os.*, trace[n].* (2)'} (-o json shows all)

`);
    },
  );

  it('shows the columns of an aggregate', () => {
    const shape = { isAggregate: true, columns: ['level', '_count'], isEndless: false };
    expect(prettyFormat(shape, surface).rows([{ level: 'info', _count: '3' }])).toBe(
      '  level   info\n  _count  3\n\n',
    );
  });
});

describe('a line for an event', () => {
  it.each([60, 100, 200])('shows a stack once and no fields about the process in %i columns', (width) => {
    const text = eventLinesFormat(EVENTS, { ...surface, width }).rows([EXCEPTION]);
    expect(text.match(/at pay/g)).toHaveLength(1);
    expect(text).not.toMatch(/process\.|os\.|trace\[/);
    const date = width < 80 ? '' : '2023-11-14 ';
    expect(text.startsWith(`${date}22:13:20.123  error  shop  uncaughtException: boom`)).toBe(true);
  });

  it.each([
    [60, '22:13:20.123  info   shop  order placed  orderId=7 ms=41 cu…\n'],
    [100, '2023-11-14 22:13:20.123  info   shop  order placed  orderId=7 ms=41 customer="Ann Lee"\n'],
    [200, '2023-11-14 22:13:20.123  info   shop  order placed  orderId=7 ms=41 customer="Ann Lee"\n'],
  ])('shows other fields as far as %i columns have room', (width, line) => {
    const row = {
      '@timestamp': 1_700_000_000_123,
      '#service': 'shop',
      level: 'info',
      msg: 'order placed',
      orderId: '7',
      ms: '41',
      customer: 'Ann Lee',
    };
    expect(eventLinesFormat(EVENTS, { ...surface, width }).rows([row])).toBe(line);
  });

  it('shows the other lines of a message below the first', () => {
    const row = { '@timestamp': 1_700_000_000_123, msg: 'one\ntwo' };
    expect(eventLinesFormat(EVENTS, surface).rows([row])).toBe('2023-11-14 22:13:20.123  one\n    two\n');
  });
});

describe('the color of a source', () => {
  it('is the same for the same source and differs between six sources', () => {
    const colorOf = sourceColors(pc.createColors(true));
    const names = ['api', 'web', 'worker', 'shop', 'cart', 'auth'];
    const painted = names.map((name) => colorOf(name)('x'));
    expect(new Set(painted).size).toBe(6);
    expect(names.map((name) => colorOf(name)('x'))).toEqual(painted);
    expect(colorOf('seventh')('x')).toContain('x');
  });
});
