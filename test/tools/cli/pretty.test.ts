import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { eventLinesFormat } from '../../../src/tools/output/event-lines.ts';
import { prettyFormat } from '../../../src/tools/output/pretty.ts';
import type { Row, RowShape, Surface } from '../../../src/tools/output/row-format.ts';
import { sourceColors } from '../../../src/tools/output/source-colors.ts';

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
  it('prints the host of an event without a service before its message', () => {
    const event: Row = { '@timestamp': 1_700_000_000_123, level: 'info', '#host': 'web-1', message: 'hello' };
    expect(prettyFormat(EVENTS, surface).rows([event])).toMatch(/ {2}web-1 {2}hello$/m);
  });

  it.each([60, 100, 200])(
    'prints one field per line, indents nested JSON and folds the stack in %i columns',
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
  ${width < 80 ? '@id, @rawstring, #repo, stack, error.…' : '@id, @rawstring, #repo, stack, error.*, process.* (2), os.*, trace[n].* (2)'} (-o json shows all)

`);
    },
  );

  it('prints one line per column of an aggregate row', () => {
    const shape = { isAggregate: true, columns: ['level', '_count'], isEndless: false };
    expect(prettyFormat(shape, surface).rows([{ level: 'info', _count: '3' }])).toBe(
      '  level   info\n  _count  3\n\n',
    );
  });
});

describe('Event lines', () => {
  it.each([60, 100, 200])('show the stack once and no process, os or trace fields in %i columns', (width) => {
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
  ])('show as many other fields as fit into %i columns', (width, line) => {
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

  it('show the other lines of a message, indented, below the first', () => {
    const row = { '@timestamp': 1_700_000_000_123, msg: 'one\ntwo' };
    expect(eventLinesFormat(EVENTS, surface).rows([row])).toBe('2023-11-14 22:13:20.123  one\n    two\n');
  });

  it('shows the first line of a stack once, and the frames that Java and Node.js leave out as they are', () => {
    const lines = (omitted: string): string =>
      `java.lang.IllegalStateException: no card\n    at shop.Pay.run(Pay.java:1)\n    ${omitted}`;
    for (const omitted of ['... 12 more', '... 12 lines matching cause stack trace ...']) {
      const row = { '@timestamp': 1_700_000_000_123, '@rawstring': lines(omitted) };
      expect(eventLinesFormat(EVENTS, surface).rows([row])).toBe(
        `2023-11-14 22:13:20.123  ${lines(omitted).replaceAll('\n', '\n    ')}\n`,
      );
    }
  });
});

describe('sourceColors()', () => {
  it('gives six sources different colors and keeps the color of each source', () => {
    const colorOf = sourceColors(pc.createColors(true));
    const names = ['api', 'web', 'worker', 'shop', 'cart', 'auth'];
    const painted = names.map((name) => colorOf(name)('x'));
    expect(new Set(painted).size).toBe(6);
    expect(names.map((name) => colorOf(name)('x'))).toEqual(painted);
    expect(colorOf('seventh')('x')).toContain('x');
  });
});

it.each(['emergency', 'emerg', 'warning', 'WARN', '40', 'E'])(
  'the level %s is shown as a filter finds it',
  (level) => {
    for (const format of [eventLinesFormat, prettyFormat]) {
      const text = format(EVENTS, surface).rows([{ '@timestamp': 0, level, message: 'm' }]);
      expect(text.split(/\s+/)).toContain(level);
    }
  },
);
