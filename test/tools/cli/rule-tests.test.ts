import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../helpers/cli-run.ts';

/** Runs the tests in a folder with files. */
async function run(files: Readonly<Record<string, string | Buffer>>, ...flags: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'logclient-rules-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const { code, stdout, stderr } = await runCommand(['queries', 'test', folder, ...flags]);
  const plain = (text: string): string => text.replaceAll(`${folder}/`, '');
  return { folder, code, stdout: plain(stdout), stderr: plain(stderr) };
}

const RULE = `name: Failed logons
cql: |
  // Many failures of one user
  EventID=4625
  | TargetUser!=/\\$$/
  | groupBy(TargetUser, function=count(as=FailCount))
  | FailCount > 2
tests:
`;

const FAILURE = '{ EventID: 4625, TargetUser: eva }';

describe('logclient queries test beside a rule', () => {
  it('passes if each item of matches returns rows, and none of ignores', async () => {
    const { code, stdout } = await run({
      'rules/a.yml': `${RULE}  matches:
    - [${FAILURE}, ${FAILURE}, ${FAILURE}]
    - three.ndjson
  ignores:
    - ${FAILURE}
    - [{ EventID: 4624 }, '{"EventID":4625,"TargetUser":"host$"}']
`,
      'rules/three.ndjson': '{"EventID":"4625","TargetUser":"max"}\n'.repeat(3),
      'rules/other.yaml': 'name: no rule\ntests:\n  - a\n',
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'PASS rules/a.yml (4 passed)\n' });
  });

  it('finds the query of a correlation rule that has tests and no settings', async () => {
    const rule = 'search: { filter: EventID=4625 }\ntests:\n  matches: [{ EventID: 4625 }]\n';
    const { code, stdout, folder } = await run({ 'a.yml': rule });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'PASS a.yml (1 passed)\n' });
    expect(await runCommand(['lint', folder])).toMatchObject({ stderr: 'No problems in 1 query.\n' });
  });

  it('takes a filter without settings of a rule as the query of the test file beside it', async () => {
    const { code, stdout } = await run({
      'a.yml': 'search: { filter: EventID=4625 }\n',
      'a.test.yaml': 'tests:\n  - matches: [{ EventID: 4625 }]\n',
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'PASS a.test.yaml (1 passed)\n' });
  });

  it('names files with tests of another program', async () => {
    const rule = 'search: { filter: a=1 }\ntests: { matches: [{ a: 1 }] }\n';
    const other = 'tests:\n  - expect: a\n';
    expect((await run({ 'a.yml': rule, 'b.yml': other })).stderr).toBe(
      'logclient: 1 test passed. Skipped tests without a query: b.yml.\n',
    );
    expect(await run({ 'b.yml': other })).toMatchObject({
      code: 2,
      stderr: 'logclient: the files have no test cases. Skipped tests without a query: b.yml.\n',
    });
  });

  it.each(['text', 'json', 'github', 'junit', 'sarif'])(
    'fails if tests have no query, or the file is no YAML (%s)',
    async (output) => {
      const tests = 'tests:\n  - matches: [{ a: 1 }]\n';
      const files = { 'a.yml': `search: a=1\n${tests}`, 'b.yml': `query: "a=1\n${tests}` };
      const { code, stdout, stderr } = await run(files, '--output', output);
      expect({ code, stderr }).toEqual({ code: 1, stderr: 'logclient: 2 of 2 tests failed.\n' });
      expect(stdout).toContain('a.yml has no query.');
      expect(stdout).toContain('b.yml');
    },
  );

  const misnamed = (member: string): string =>
    `${RULE}  ignores: [{ EventID: 1 }]\n`.replace('tests', member);

  it.each([
    ['test is unknown. Did you mean "tests"?', 'c.yml', misnamed('test')],
    ['Tests is unknown. Did you mean "tests"?', 'c.yml', misnamed('Tests')],
    ['Rename it to c.test.yaml.', 'c.tests.yaml', 'tests: [{ event: [] }]\n'],
    ['Rename it to c.test.yaml.', 'c.tests.yaml', 'test: []\n'],
  ])('fails for misnamed tests beside a passing file: %s (%s)', async (message, name, text) => {
    const files = {
      'a.yml': `${RULE}  matches: [[${`${FAILURE},`.repeat(3)}]]\n`,
      'b.yml': 'test: 1\n',
      [name]: text,
    };
    const { code, stdout, stderr } = await run(files, '--output', 'github');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'logclient: 1 of 2 tests failed.\n' });
    expect(stdout).toContain(message);
  });

  it.each([
    ['matches: [{ level: info }]', 1],
    ['{ events: [{ level: info }], count: 1 }', 1],
    ['{ events: [{ level: info }], rows: [{ _count: 0 }] }', 0],
  ])('fails if a query that returns a row without events meets %s', async (test, code) => {
    const tests = test.startsWith('{') ? `[${test}]` : `{ ${test} }`;
    const result = await run({ 'a.yml': `queryString: level=error | count()\ntests: ${tests}\n` });
    expect(result.code, result.stdout).toBe(code);
    if (code === 1) expect(result.stdout).toContain('the query returns a row even without events');
  });

  it('reports the step that no event passes, with its line in the rule', async () => {
    const { code, stdout } = await run({
      'a.yml': `${RULE}  matches: [[${FAILURE}, { EventID: 4625, TargetUser: x$ }]]\n  ignores: [[${`${FAILURE},`.repeat(3)}]]\n`,
    });
    expect(code).toBe(1);
    expect(stdout).toContain('a.yml:9 test: matches 1\n    the query must match, but returns no rows\n');
    expect(stdout).toContain('    a.yml:7 no event passes this step: FailCount > 2\n');
    expect(stdout).toContain(
      '    the query must not match, but returns rows (1)\n      + {"TargetUser":"eva","FailCount":"3"}\n',
    );
  });

  it('runs the tests of each document of a file on its own query, and updates their rows', async () => {
    const rule = (name: string, id: number, rows: string): string =>
      `name: ${name}\ncql: EventID=${id}\ntests:\n  - events: [{ EventID: 1 }, { EventID: 2 }]\n    rows: ${rows}\n`;
    const [one, two, rows] = [rule('one', 1, '[{ EventID: 1 }]'), rule('two', 2, '[{ EventID: 2 }]'), '[]'];
    const note = 'name: without a query\n';
    const right = await run({ 'a.yml': `${one}---\n${note}---\n${two}---\n` });
    expect(right).toMatchObject({ code: 0, stdout: 'PASS a.yml (2 passed)\n' });
    const wrong = { 'a.yml': `# all\n${one}---\n${rule('two', 2, rows)}` };
    const { code, stdout } = await run(wrong);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('a.yml:11 test 1\n') });
    const { folder, code: updated } = await run(wrong, '--update');
    expect(updated).toBe(0);
    expect(await readFile(join(folder, 'a.yml'), 'utf8')).toBe(
      `# all\n${one}---\n${two.replace('[{ EventID: 2 }]\n', '\n      - { EventID: 2 }\n').replace('rows: \n', 'rows:\n')}`,
    );
  });

  it('reads event files whose names have spaces, and else takes the words for an event', async () => {
    const rule = 'name: a\ncql: opened\ntests:\n  matches:\n';
    const { code, stdout } = await run({
      'a.yml': `${rule}    - my events (1).log\n    - ./my events (1).log\n    - user opened report.txt\n`,
      'my events (1).log': 'user opened a file\n',
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'PASS a.yml (3 passed)\n' });
    const missing = await run({ 'a.yml': `${rule}    - ./my events.log\n` });
    expect(missing.stdout).toContain("can't read the events in ./my events.log: it does not exist");
  });

  it.each([
    ['count', 'count: 1', true],
    ['count', 'count: 2', false],
    ['rows', 'rows: [{ TargetUser: eva, FailCount: 3 }]', true],
  ])('compares %s of a test in a list: %s', async (_, expected, isPassed) => {
    const events = `events: [${`${FAILURE},`.repeat(3)}]`;
    const { code } = await run({ 'a.yml': `${RULE}  - { ${events}, ${expected} }\n` });
    expect(code).toBe(isPassed ? 0 : 1);
  });

  it('reads lookup files and saved queries of a test, and of a package', async () => {
    const { code, stdout } = await run({
      'queries/logons.yaml':
        'name: logons\nqueryString: EventID=4625\n$schema: https://schemas.humio.com/query/v0.5.0\n',
      'data/teams.csv': 'user,team\neva,red\n',
      'alerts/a.yaml': `name: a
queryString: '$logons() | match("teams.csv", field=TargetUser, column=user) | match("own.csv", field=team) | $local()'
tests:
  - events: [${FAILURE}]
    files: { own.csv: "team,size\\nred,7\\n" }
    savedQueries: { local: 'select([team, size])' }
    rows: [{ team: red, size: 7 }]
`,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'PASS alerts/a.yaml (1 passed)\n' });
  });

  it('tests a query of a dashboard in a file beside it by its title', async () => {
    const dashboard = `widgets:
  a: { title: Errors, queryString: level=error }
  b: { title: All, queryString: count() }
`;
    const tests =
      'tests:\n  - { query: All, events: [{ a: 1 }], rows: [{ _count: 1 }] }\n  - { events: [], count: 0 }\n';
    const { code, stdout } = await run({ 'd.yaml': dashboard, 'd.test.yaml': tests });
    expect(code).toBe(1);
    expect(stdout).toContain('(1 of 2 failed)');
    expect(stdout).toContain('d.yaml has 2 queries. Set "query" to the name of one: Errors, All.');
  });

  const RECORD = {
    Event: { System: { EventID: 4625, Keywords: 1 }, EventData: { TargetUser: 'eva "x" {' } },
  };
  const PRETTY = JSON.stringify(RECORD, undefined, 2).replace(
    '"Keywords": 1',
    '"Keywords": 9232379236109516800',
  );
  it.each([
    ['an array', `[${PRETTY},\n${PRETTY}]`],
    ['objects on several lines', `${PRETTY}\r\n${PRETTY}\n`],
    ['objects after record numbers', `Record 1\n${PRETTY}\nRecord 2\n${PRETTY}\n`],
    ['UTF-16 of PowerShell', Buffer.from(`\ufeff[${PRETTY},${PRETTY}]`, 'utf16le')],
  ])('reads Windows events as %s, with all digits', async (_, content) => {
    const { code, stdout } = await run({
      'a.yml': `cql: Event.System.EventID=4625 | groupBy([Event.System.Keywords, Event.EventData.TargetUser])
tests:
  - events: [security.json]
    rows: [{ Event.System.Keywords: 9232379236109516800, Event.EventData.TargetUser: 'eva "x" {', _count: 2 }]
`,
      'security.json': content,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'PASS a.yml (1 passed)\n' });
  });

  it('reads files of events by line as other commands do: text after a line of JSON is an event', async () => {
    const { stdout } = await run({
      'a.yml': 'cql: count()\ntests: [{ events: [app.log], rows: [{ _count: 2 }] }]\n',
      'app.log': '{"level":"info"}\nERROR plain {x}\n',
    });
    expect(stdout).toBe('PASS a.yml (1 passed)\n');
  });

  it('reports a file of events that does not exist, with its line', async () => {
    const { stdout } = await run({ 'a.yml': `${RULE}  matches:\n    - gone.ndjson\n` });
    expect(stdout).toContain(
      "a.yml:10 test: matches 1\n    can't read the events in gone.ndjson: it does not exist.",
    );
  });

  it('writes missing rows beside the rule with --update, and changes nothing else', async () => {
    const text = `# keep\n${RULE}  - events: [${FAILURE}, ${FAILURE}, ${FAILURE}]\nafter: 1\n`;
    const { folder, code } = await run({ 'a.yml': text }, '--update');
    expect(code).toBe(0);
    expect(await readFile(join(folder, 'a.yml'), 'utf8')).toBe(
      text.replace('\nafter', '\n    rows:\n      - { TargetUser: eva, FailCount: 3 }\nafter'),
    );
  });

  it('reports what no test decides with --coverage', async () => {
    const rule = `cql: |
  level=error app=a*
  | case {
      host=a | team := "red";
      host=b | team := "blue"; // why
      * | team := "none";
    }
  | team match { "red" => x := 1; * => x := 2; }
  | regex("o", field=team)
  | regex("(?<last>.)$", field=team, strict=false)
tests:
  matches:
    - { level: error, app: abc, host: c }
  ignores:
    - { level: info, app: abc, host: a }
`;
    const { code, stderr } = await run({ 'a.yml': rule }, '--coverage');
    expect(code).toBe(0);
    expect(stderr.split('\n')).toEqual([
      'a.yml:2 no test event fails the filter: app=a*',
      'a.yml:4 no test event takes the arm: host=a | team := "red"',
      'a.yml:5 no test event takes the arm: host=b | team := "blue"',
      'a.yml:8 no test event takes the arm: "red" => x := 1',
      'a.yml:9 no test event fails the filter: regex("o", field=team)',
      'logclient: 2 tests passed.',
      '',
    ]);
  });

  it('runs the tests of a query with correlate(), whose steps have no counts', async () => {
    const rule = `cql: |
  correlate(a: { x=1 }, b: { y=1 | user <=> a.user }, within=1h)
tests:
  matches:
    - [{ x: 1, user: eva }, { y: 1, user: eva }]
    - [{ x: 1, user: eva }]
`;
    const { code, stdout, stderr } = await run({ 'a.yml': rule }, '--coverage');
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('the query must match, but returns no rows');
    expect(stdout + stderr).toContain('1 of 2 tests failed.');
  });

  it.each([
    ['json', '"passed": false'],
    ['sarif', '"ruleId": "failed-test"'],
    ['junit', '<failure message="the query must match'],
    ['github', '::error file='],
  ])('reports failures as %s', async (output, text) => {
    const { code, stdout } = await run({ 'a.yml': `${RULE}  matches: [{ a: 1 }]\n` }, '--output', output);
    expect(stdout).toContain(text);
    expect(code).toBe(1);
  });

  it('checks the queries of 60 rules and runs their tests', async () => {
    const tests = `  matches: [[${`${FAILURE},`.repeat(3)}]]\n  ignores: [${FAILURE}]\n`;
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`rule-${index}.yml`, `${RULE}${tests}`]),
    );
    const { code, stderr, folder } = await run(files);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'logclient: 120 tests passed.\n' });
    expect(await runCommand(['lint', folder])).toMatchObject({ stderr: 'No problems in 60 queries.\n' });
  });
});
