import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { typeFailures } from '../../../src/tools/cli/tests/query-tests.ts';
import { runCommand } from '../../helpers/cli-run.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logclient-queries-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** Runs a query file with its test file. */
async function run(query: string, tests: string, ...flags: string[]) {
  await file('q.lql', query);
  const path = await file('q.test.yaml', tests);
  return { path, ...(await runCommand(['queries', 'test', folder, ...flags])) };
}

const AS_TIME = '"@timestamp" must be a time such as 2026-02-03T09:00:00Z';
const UNREADABLE = [
  ...['2/3/2026 7:00:00', '2026-02-03 7:00:00', '02/03/2026 09:40:00', 'Feb 3 2026 09:40:00', '09:40:00'],
  ...['2026-02-30T09:40:00Z', 'yesterday', ''],
];

describe('logclient queries test', () => {
  it('passes and exits with 0 if the queries return the expected rows', async () => {
    const { code, stdout, stderr, path } = await run(
      'level=error | groupBy(service)',
      `tests:
  - name: counts errors
    events:
      - { service: cart, level: error, user: { id: 7 } }
      - { service: web, level: info }
      - '{"service":"cart","level":"error"}'
    rows:
      - { service: cart, _count: 2 }
  - name: counts nothing
    events: [{ service: web, level: info }]
    rows: []
`,
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `PASS ${path} (2 passed)\n`,
      stderr: 'logclient: 2 tests passed.\n',
    });
  });

  it('runs a query on 130,000 events', async () => {
    await file('many.ndjson', '{}\n'.repeat(130_000));
    const tests = 'tests: [{ events: [many.ndjson], rows: [{ _count: 130000 }] }]';
    const { code, stdout } = await run('count()', tests);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('(1 passed)') });
  });

  it('compares @ fields only if the expected row has them, and times in any form', async () => {
    const events = 'events: [{ "@timestamp": "2026-02-03T09:00:00Z", a: 1 }]';
    const { code, stdout } = await run(
      '*',
      `tests:
  - { ${events}, rows: [{ a: 1 }] }
  - { ${events}, rows: [{ a: 1, "@timestamp": 1770109200000 }] }
  - { ${events}, rows: [{ a: 1, "@timestamp": 2026-02-03T10:00:00+01:00 }] }
  - { ${events}, rows: [{ a: 1, "@timestamp": 1 }] }
`,
    );
    expect(code).toBe(1);
    expect(stdout).toContain('(1 of 4 failed)');
    expect(stdout).toContain('row 1: @timestamp\n      - 1\n      + 1770109200000');
  });

  it.each([
    ['150.0', '150', 0],
    ['-1.50', '-1.5', 0],
    ['100', '1', 1],
    ['150.5', '150', 1],
    ['1.0.0', '1.0', 1],
  ])('compares the expected %s with %s as numbers if it is a decimal', async (wanted, found, status) => {
    const tests = `tests: [{ events: [{ a: ${found} }], rows: [{ a: ${wanted} }] }]`;
    expect((await run('a=*', tests)).code).toBe(status);
  });

  it('reports missing, unexpected and different rows, and rows in another order', async () => {
    const { stdout } = await run(
      'sort(n, order=asc)',
      `tests:
  - { events: [{ n: 1 }, { n: 2 }], rows: [{ n: 1 }] }
  - { events: [{ n: 1 }], rows: [{ n: 1 }, { n: 2 }] }
  - { events: [{ n: 1, a: x }], rows: [{ n: 1, b: y }] }
  - { events: [{ n: 1 }, { n: 2 }], rows: [{ n: 2 }, { n: 1 }] }
`,
    );
    expect(stdout).toContain('test 1\n    row 2 is unexpected\n      + {"n":"2"}\n');
    expect(stdout).toContain('test 2\n    row 2 is missing\n      - {"n":"2"}\n');
    expect(stdout).toContain('test 3\n    row 1: b\n      - y\n    row 1: a\n      + x\n');
    expect(stdout).toContain('test 4\n    the rows are in another order; sort() fixes the order\n');
  });

  it.each([
    ['2026-02-02, 2026-02-03', 'UTC', 2],
    ['2026-02-03T00:04:59Z, 2026-02-03', 'UTC', 1],
    ['2026-02-03T00:04:59Z, 2026-02-03', 'Europe/Copenhagen', 2],
    ['2026-02-03 00:04:59, 2026-02-03', 'Europe/Copenhagen', 1],
    ['2026-02-02T23:04:59Z, 2026-02-03', 'Europe/Copenhagen', 1],
    ['"1770076860", 2026-02-03', 'UTC', 1],
  ])(
    'reads the times %s in %s, so that %i buckets of 5 minutes have events',
    async (times, timeZone, count) => {
      const events = times.split(', ').map((time) => `{ "@timestamp": ${time} }`);
      const { stdout } = await run(
        'bucket(5min) | _count > 0',
        `tests: [{ events: [${events}], timeZone: ${timeZone}, count: ${count} }]`,
      );
      expect(stdout).toContain('(1 passed)');
    },
  );

  it('applies the start, now and params of a test to its query', async () => {
    const events = `events:
      - { "@timestamp": "2026-02-03T07:59:59Z", level: error }
      - { "@timestamp": "2026-02-03T08:30:00Z", level: error }
      - { "@timestamp": "2026-02-03T08:45:00Z", level: info }`;
    const { code, stdout } = await run(
      'level=?level | count()',
      `tests:
  - name: in the hour before now
    now: 2026-02-03T09:00:00Z
    start: 1h
    params: { level: error }
    ${events}
    rows: [{ _count: 1 }]
  - name: in the hour before the newest event
    start: 1h
    params: { level: '*' }
    ${events}
    rows: [{ _count: 3 }]
`,
    );
    expect(stdout).toContain('(2 passed)');
    expect(code).toBe(0);
  });

  it('fails a test with a value for a parameter that the query lacks, or without one for its own', async () => {
    const { code, stdout } = await run(
      'service=?service | count()',
      'tests:\n  - { params: { servce: cart }, events: [{ service: web }], rows: [{ _count: 1 }] }\n  - { events: [{ service: web }], rows: [{ _count: 1 }] }\n',
    );
    expect(code).toBe(1);
    expect(stdout).toContain('the query has no parameter "servce". Did you mean "service"?');
    expect(stdout).toContain('the parameter "service" has no value, so it would match any value.');
  });

  it.each([
    ['$byUser()', '{ params: { user: eva }, matches: [user: eva] }', '(1 passed)'],
    ['$byUser(user=eva)', '{ matches: [user: eva] }', '(1 passed)'],
    ['$outer()', '{ params: { user: eva }, matches: [user: eva] }', '(1 passed)'],
    ['$outer()', '{ matches: [user: eva] }', 'the parameter "user" has no value'],
    ['user=eva', '{ params: { user: eva }, matches: [user: eva] }', 'the query has no parameter "user".'],
    ['who=?who | stats count by host', '{ params: { who: eva }, matches: [user: eva] }', 'stats'],
    ['$gone()', '{ params: { who: eva }, matches: [user: eva] }', 'There is no saved query "gone"'],
  ])(
    'runs %s with its parameters and those of the queries that it calls in %s: %s',
    async (query, tests, text) => {
      await file('byUser.lql', 'user=?user');
      await file('outer.lql', '$byUser() | n := ?{max=1}');
      const { stdout } = await run(query, `tests: ${tests}`);
      expect(stdout).toContain(text);
      if (text === 'stats') expect(stdout).not.toContain('no parameter');
    },
  );

  it('loads saved queries and lookup files from the folder of the query', async () => {
    await file('errors.lql', 'level=error');
    await file('teams.csv', 'service,team\ncart,blue\n');
    const { code, stdout } = await run(
      '$errors() | match("teams.csv", field=service)',
      'tests:\n  - events: [{ service: cart, level: error }, { service: cart }]\n    rows: [{ service: cart, level: error, team: blue }]\n',
    );
    expect(stdout).toContain('(1 passed)');
    expect(code).toBe(0);
  });

  it('names the places of lookup files if one is missing', async () => {
    const { stdout } = await run(
      'match("gone.csv", field=a)',
      'tests:\n  - { events: [{ a: 1 }], rows: [] }\n',
    );
    expect(stdout).toContain(
      `Lookup files are in ${folder}, ${join(folder, '../data')} or "files" of the test.`,
    );
  });

  it('adds missing rows with --update, keeps comments and changes nothing on the next run', async () => {
    const tests = `# Tests of q.lql
tests:
  - events: # two events
      - { n: 1.10, s: "2" }
      - |
        a line
  - name: right
    events: [{ n: 3 }]
    rows: [{ n: 3 }] # stays
`;
    const first = await run('*', tests);
    expect(first.stdout).toContain('rows is missing. Run the command with --update to write it.');
    expect(first.code).toBe(1);
    const second = await run('*', tests, '--update');
    expect(second.stderr).toBe(`logclient: updated ${second.path}.\nlogclient: 2 tests passed.\n`);
    const written = await readFile(second.path, 'utf8');
    const rows = `    rows:\n      - { n: 1.10, s: 2 }\n      - { "@rawstring": a line }\n`;
    expect(written).toBe(tests.replace('        a line\n', `        a line\n${rows}`));
    const third = await run('*', written, '--update');
    expect(third.stderr).toBe('logclient: 2 tests passed.\n');
    expect(await readFile(third.path, 'utf8')).toBe(written);
  });

  it('rewrites flow-style rows with --update and quotes strings where YAML needs it', async () => {
    const events = 'events: [{ a: "x, y: {z} # \\"q\\"", b: "1\\n2" }]';
    const tests = `tests: [{ ${events}, rows: [] }, { ${events} }]\n`;
    expect((await run('*', tests, '--update')).code).toBe(0);
    const { stdout } = await run('*', await readFile(join(folder, 'q.test.yaml'), 'utf8'));
    expect(stdout).toContain('(2 passed)');
  });

  it('with --update, writes rows with aliases, and reports those with an anchor', async () => {
    const tests = `tests:
  - { name: shared, events: [{ a: 1 }], rows: &r [{ _count: 2 }] }
  - { name: right, events: [{ a: 1 }, { a: 2 }], rows: *r }
  - name: wrong
    events: &e [{ a: 1 }]
    rows:
      - &x { _count: 5 }
  - name: alias
    events: *e
    rows: [*x]
`;
    const { code, stdout, path } = await run('count()', tests, '--update');
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('(2 of 4 failed)') });
    expect(stdout).toContain('rows are not updated: they have an anchor, which an alias can use.');
    const rows = '\n      - { _count: 1 }\n';
    expect(await readFile(path, 'utf8')).toBe(tests.replace(' [*x]\n', rows));
  });

  it('with --update, keeps newlines of Windows and a byte order mark', async () => {
    const tests = '\ufefftests:\r\n  - events:\r\n      - a: 1\r\n';
    const { code, path } = await run('count()', tests, '--update');
    expect(code).toBe(0);
    expect(await readFile(path, 'utf8')).toBe(`${tests}    rows:\r\n      - { _count: 1 }\r\n`);
  });

  it('warns with --update if no event passes a step of the query', async () => {
    const { code, stdout, stderr } = await run(
      'levl=error',
      "tests: [{ events: ['level=error'] }]",
      '--update',
    );
    expect(stdout + stderr).toContain('"rows: []" proves little: ');
    expect(code).toBe(0);
  });

  it('reports a file that can not be read as YAML by its name, and runs the tests of other files', async () => {
    await file('bad.lql', '*');
    const bad = await file('bad.test.yaml', 'tests:\n  - rows: [{ a: *nothing }]\n');
    const { code, stdout } = await run('*', 'tests: [{ events: [{ a: 1 }], rows: [{ a: 1 }] }]');
    expect(stdout).toContain(`${bad}:1 test file\n    The file is not YAML: Unresolved alias`);
    expect(stdout).toContain('(1 passed)');
    expect(code).toBe(1);
  });

  it.each([
    ['cuont()', 'tests: [{ events: [], rows: [] }]', 'cuont'],
    ...[
      '[{ rows: [] }]',
      '[{ count: 0 }]',
      '[{ events: [], rows: [] }]',
      '{ matches: [b: 1], ignores: [{}] }',
    ].map((tests) => ['b=1', `tests: ${tests}`, 'so it proves nothing. Add events']),
    ...['{ ignores: [a: 1] }', '[{ events: [a: 1], count: 0 }]'].map((tests) => [
      'b=1',
      `tests: ${tests}`,
      'no test of the query expects rows, so a query that finds nothing would pass',
    ]),
    [
      'EventID=4625',
      'tests: { matches: [EventID: 4625], ignores: [{ EventId: 4625, user: x }] }',
      'No event has the field "EventID". Did you mean "EventId"?',
    ],
    [
      'service=shop',
      'tests: { matches: [service: shop], ignores: ["#service": web] }',
      '"service" is a tag: write #service.',
    ],
    ['service=shop', 'tests: { matches: ["#service": shop] }', '"service" is a tag: write #service.'],
    [
      'EventID=4625 | groupBy(host)',
      'tests: [{ events: [{ EventID: 4625, host: a }], count: 1 }, { events: [EventIDD: 4625], rows: [] }]',
      'Did you mean "EventIDD"?',
    ],
    ...['', '# none'].map((tests) => ['*', tests, 'The file must be a mapping with "name: value" lines.']),
    ['*', 'tests: [{ row: [] }]', 'tests[0].row is unknown. Did you mean "rows"?'],
    ['*', 'query: a\ntests: []', 'query belongs in a test, which is an item of the list "tests:".'],
    ['*', 'test: []', 'test is unknown. Did you mean "tests"?'],
    [
      '*',
      'tests: [{ now: soon, rows: [] }]',
      'tests[0].now must be a time such as 2026-02-03T09:00:00Z (got "soon").',
    ],
    ['*', 'tests: [{ now: 2026-02-31T09:00:00Z, rows: [] }]', 'must be a time such as'],
    ...UNREADABLE.flatMap((time) => [
      ['*', `tests: { matches: [{ "@timestamp": "${time}" }] }`, `${AS_TIME} (got "${time}").`],
      ['*', `tests: { matches: ['{"@timestamp":"${time}"}'] }`, `${AS_TIME} (got "${time}").`],
    ]),
    ['*', `tests: { matches: ['{"@timestamp":0}'] }`, `${AS_TIME} (got 0).`],
    ['*', 'tests: [{ start: soon, events: [], rows: [] }]', 'soon'],
    ['*', 'tests: [{ events: [[1]], rows: [] }]', 'tests[0].events[0] must be a mapping'],
    ['*', 'tests:\n- events: ["a\\nb"]\n  rows: []', 'tests[0].events[0] must be one line'],
    ['match("x.csv", field=a)', 'tests: [{ events: [], rows: [] }]', 'x.csv'],
  ])('reports the error in query %j with tests %j and exits with 1', async (query, tests, message) => {
    const { code, stdout } = await run(query, tests);
    expect(stdout).toContain(message);
    expect(code).toBe(1);
  });

  it.each([
    ['EventID=4625 dst_ip=*', '{ EventID: 4625, src_ip: 1.1.1.1 }'],
    ['EventID=4625 dst_ip=*', '{ EventID: 4625, dst_ips: 1.1.1.1 }'],
    ['EventID=4625 ip1=*', '{ EventID: 4625, ip2: 1.1.1.1 }'],
    ['EventID=4625 from=* not form=*', '{ EventID: 4625, form: a }'],
  ])('passes if %s ignores %s, which has another field', async (query, ignored) => {
    const { code, stdout } = await run(
      query,
      `tests: { matches: [{ EventID: 4625, dst_ip: a, ip1: b, from: c }], ignores: [${ignored}] }`,
    );
    expect(stdout).toContain('(2 passed)');
    expect(code).toBe(0);
  });

  it.each([
    ['a.json', '{"a":1', 'a.json is not JSON: {"a":1'],
    ['a.json', '[{"a":1},\n{"a":}]', 'a.json is not JSON: {"a":}]'],
    ['a.json', '[\n  "a",\n', 'a.json is not JSON: ['],
    ['a.ndjson', '{"a":1}\n{"b":1,}\ntext', 'a.ndjson is not JSON: {"b":1,}'],
    ['a.log', '{"a":1', 'passed'],
    ['a.json', '{\n"a":1\n}\n{"a":2}', 'passed'],
    ['a.jsonl', '[2026-03-01] text', 'passed'],
  ])('reads the events in %s with %j: %s', async (name, text, message) => {
    await file(name, text);
    const { stdout } = await run('b=1', `tests: { matches: [b: 1], ignores: [${name}] }`);
    expect(stdout).toContain(message);
  });

  it('keeps expected rows with --update if the query returns none, and exits with 1', async () => {
    const tests = 'tests: [{ events: [{ level: error }], rows: [{ level: error }] }]\n';
    const { code, stdout, path } = await run('levl=error', tests, '--update');
    expect(stdout).toContain('rows are not updated: the query returns none.');
    expect(stdout).toContain('no event passes');
    expect(await readFile(path, 'utf8')).toBe(tests);
    expect(code).toBe(1);
  });

  it('reports a test file whose query file is missing', async () => {
    const path = await file('q.test.yaml', 'tests: []');
    const { code, stdout } = await runCommand(['queries', 'test', path]);
    expect(stdout).toContain(
      `There is no query ${join(folder, 'q.lql')} or ${join(folder, 'q.cql')} or ${join(folder, 'q.yaml')}.`,
    );
    expect(code).toBe(1);
  });

  it.each(['ok.test.json', 'other.json'])(
    'reports tests in JSON of a folder, which are not run: %s',
    async (name) => {
      await file('ok.yml', 'name: ok\nqueryString: a=1\ntests: { matches: [a: 1], ignores: [a: 2] }\n');
      await file('data.json', '{"tests":[1]}');
      const path = await file(name, '{"queryString":"a=1","tests":{"matches":[{"a":2}]}}');
      const { code, stdout } = await runCommand(['queries', 'test', folder]);
      expect(stdout).toContain(`FAIL ${path}`);
      expect(stdout).toContain('Tests in JSON are not read.');
      expect(code).toBe(1);
    },
  );

  it('exits with 2 for a file that is not a test file', async () => {
    const path = await file('q.lql', '*');
    const { code, stderr } = await runCommand(['queries', 'test', path]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `logclient: ${path} has no tests. The tests of errors.lql are in errors.test.yaml; those of a query in YAML can also be beside it, as its member "tests".\n`,
    });
  });
});

test('Rows that their derived type rules out are failures', () => {
  const query = 'groupBy(g, function=[count(), max(n)])';
  expect(typeFailures(query, [{ _count: '1' }, { g: 'a', _count: '2', _max: '1.0E21' }])).toEqual([]);
  const wrong = typeFailures(query, [{ _count: '1', x: '1' }, {}, { _count: 'many' }, {}]);
  expect(wrong.map(({ message }) => message)).toEqual([
    'the type of the rows is wrong: row 1 has "x"',
    'the type of the rows is wrong: row 2 lacks "_count"',
    'the type of the rows is wrong: row 3 has "_count" = "many", which is no number',
  ]);
  expect(typeFailures('level=error', [{ x: '1' }])).toEqual([]);
});
