import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SaxesParser } from 'saxes';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type NgsiemServer, startLocalServer } from '../../../src/server/index.ts';
import { accessTo, runCommand } from '../../helpers/cli-run.ts';
import { startServiceOfKind } from '../../helpers/service-kinds.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logclient-parsers-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

const SHOP = `name: shop
$schema: https://schemas.humio.com/parser/v0.3.0
script: parseJson() | match("teams.csv", field=service, strict=false)
tagFields: [service]
testCases:
- event:
    rawString: '{"service":"cart","level":"error"}'
  assertions:
  - outputEventIndex: 0
    fieldsHaveValues:
      '#service': cart
      level: error
    fieldsNotPresent: [service]
`;

/** The same with wrong assertions, from line 14 on. */
const WRONG = `${SHOP}- event: { rawString: '{"service":"<web>","level":"eror","c":[1]}' }
  assertions:
  - fieldsHaveValues: { service: web, level: error }
    fieldsNotPresent: ['c[0]']
  - outputEventIndex: 1
    fieldsHaveValues: { a: b }
- event: { rawString: no JSON }
`;

const KV_TEST = `testCases:
- event: { rawString: 'a:1' }
  assertions:
  - fieldsHaveValues: { a: 1 }
`;

const TEAMS = 'service,team\ncart,blue\n';

describe('logclient parsers test', () => {
  it('runs the test cases of all templates in a folder, with the lookup files next to them', async () => {
    await file('parsers/shop.yaml', SHOP.replace('level: error', 'team: blue'));
    await file('parsers/teams.csv', TEAMS);
    await file('parsers/dashboard.yaml', 'name: a dashboard\nwidgets: {}\n');
    await file('parsers/.hidden/wrong.yaml', WRONG);
    const { code, stdout, stderr } = await runCommand(['parsers', 'test', folder]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `PASS ${join(folder, 'parsers/shop.yaml')} (1 passed)\n`,
      stderr: 'logclient: 1 test passed.\n',
    });
  });

  it.each([
    ['a.yaml', 'name: a\n', 'script is missing'],
    ['a.yaml', 'name: a\nScript: parseJson()\n', 'Did you mean "script"?'],
    ['a.yaml', 'name: a\nscrip: parseJson()\n', 'Did you mean "script"?'],
    ['a.yaml', 'parser:\n  name: a\n  script: parseJson()\n', 'script is missing'],
    ['a.json', '', 'assertions'],
  ])('runs the test cases of each file in a folder, or fails: %s %j', async (name, head, message) => {
    await file('shop.yaml', SHOP.replace('match(', '// match('));
    const cases = KV_TEST.replaceAll(/^(?=.)/gm, head.startsWith('parser') ? '  ' : '');
    const json =
      '{"name":"a","script":"kvParse()","testCases":[{"event":{"rawString":"a=1"},"assertions":7}]}';
    await file(name, name.endsWith('json') ? json : head + cases);
    const { code, stdout } = await runCommand(['parsers', 'test', folder]);
    expect(stdout).toContain(`FAIL ${join(folder, name)}`);
    expect(stdout).toContain(message);
    expect(code).toBe(1);
  });

  it('finds lookup files in the "data" folder of a package', async () => {
    await file(
      'parsers/shop.yaml',
      SHOP.replace('level: error', 'team: blue').replace('teams', 'my/pkg/teams'),
    );
    await file('data/teams.csv', TEAMS);
    expect((await runCommand(['parsers', 'test', join(folder, 'parsers')])).code).toBe(0);
  });

  it('shows the fields that differ, and exits with 1', async () => {
    await file('teams.csv', TEAMS);
    const path = await file('shop.yaml', WRONG);
    const { code, stdout, stderr } = await runCommand(['parsers', 'test', path]);
    expect(stdout).toBe(`FAIL ${path} (2 of 3 failed)
  ${path}:14 2. {"service":"<web>","level":"eror","c":[1]}
    service does not exist. Did you mean "#service"?
      - web
    level
      - error
      + eror
    c[0] must not exist
      + 1
    event 1: the parser made 1 event (asserted fields: a)
  ${path}:20 3. no JSON
    The field "@rawstring" contains no valid JSON.
`);
    expect(stderr).toBe('logclient: 2 of 3 tests failed.\n');
    expect(code).toBe(1);
  });

  it('warns of a missing lookup file and exits with 0', async () => {
    const path = await file('shop.yaml', `${SHOP}- event: { rawString: '{}' }\n`);
    const { code, stdout } = await runCommand(['parsers', 'test', path]);
    expect(stdout).toBe(`PASS ${path} (2 passed)
  ${path}:6 1. {"service":"cart","level":"error"}
    warning the lookup file "teams.csv" does not exist, so match() is skipped. Put teams.csv into ${folder}.
`);
    expect(code).toBe(0);
  });

  it('prints escaped JUnit XML with --output junit', async () => {
    await file('teams.csv', TEAMS);
    const path = await file('shop.yaml', WRONG);
    const { code, stdout } = await runCommand(['parsers', 'test', path, '--output', 'junit']);
    expect(code).toBe(1);
    expect(stdout).toContain(`<testsuite name="${path}" tests="3" failures="2">`);
    expect(stdout).toContain('name="2. {&quot;service&quot;:&quot;&lt;web&gt;&quot;');
    expect(stdout).toContain('level&#10;  - error&#10;  + eror');
  });

  it('prints well-formed JUnit XML for a line with invalid XML characters', async () => {
    const rawString = String.raw`"<a b='&'>]]> \u0000\u001b\ud800\ufffe é🎉\n"`;
    const path = await file(
      'a.yaml',
      `name: a\nscript: c := @rawstring\ntestCases:\n- event: { rawString: ${rawString} }\n  assertions:\n  - fieldsHaveValues: { c: x }\n`,
    );
    const { stdout } = await runCommand(['parsers', 'test', path, '--output', 'junit']);
    const texts: string[] = [];
    const parser = new SaxesParser();
    parser.on('text', (text) => texts.push(text));
    parser.on('error', (error) => expect.unreachable(error.message));
    parser.write(stdout).close();
    expect(texts.join('').trim()).toBe(`c\n  - x\n  + <a b='&'>]]> \ufffd\ufffd\ufffd\ufffd é🎉\n  +`);
  });

  it('prints GitHub annotations at the lines of the test cases with --output github', async () => {
    await file('teams.csv', TEAMS);
    const path = await file('shop.yaml', WRONG);
    const { stdout } = await runCommand(['parsers', 'test', path, '--output', 'github']);
    expect(stdout.split('\n')).toContain(
      `::error file=${path},line=14,title=2. {"service"%3A"<web>"%2C"level"%3A"eror"%2C"c"%3A[1]}::level%0A  - error%0A  + eror`,
    );
  });

  it('reports an invalid lookup file', async () => {
    await file('teams.csv', 'a,"b\n');
    const path = await file('shop.yaml', SHOP);
    const { code, stdout } = await runCommand(['parsers', 'test', path]);
    expect(stdout).toContain('The lookup file "teams.csv" is invalid.');
    expect(code).toBe(1);
  });

  it('shows control characters of a log line as text', async () => {
    const line = JSON.stringify('a\u001b[2Jb');
    const path = await file(
      'a.yaml',
      `name: a\nscript: "c := @rawstring"\ntestCases:
- event: { rawString: ${line} }\n  assertions:\n  - fieldsHaveValues: { c: x }\n`,
    );
    const { stdout } = await runCommand(['parsers', 'test', path]);
    expect(stdout).toContain('1. a\\x1b[2Jb\n    c\n      - x\n      + a\\x1b[2Jb\n');
  });

  it('warns of arrays with gaps and of # fields that are not tags, and exits with 0', async () => {
    const path = await file('a.yaml', `name: a\nscript: 'b[1] := 1 | "#c" := 1'\ntests: ['a  line']\n`);
    const { code, stdout } = await runCommand(['parsers', 'test', path]);
    expect(stdout).toContain(' 1. a  line\n');
    expect(stdout).toContain('warning #c starts with "#" but is no tag');
    expect(stdout).toContain('warning b[0] is missing, so array functions ignore b[1].');
    expect(code).toBe(0);
  });

  it.each([
    ['levle', 1],
    ['levels', 0],
    ['hostname', 0],
  ])('fails if the absent field %s only misspells one of the event: %i', async (name, code) => {
    const event = `{ event: { rawString: '{"level":"a","host":"b"}' }, assertions: [{ fieldsNotPresent: [${name}] }] }`;
    const path = await file(
      'a.yaml',
      `name: a\nscript: parseJson() | drop(hostname)\ntestCases: [${event}]\n`,
    );
    const result = await runCommand(['parsers', 'test', path]);
    expect(result.code).toBe(code);
    if (code === 1) expect(result.stdout).toContain('No event has the field "levle". Did you mean "level"?');
  });

  it.each([
    ['name: a\nscript: "cuont("\ntests: [line]', ':1 template\n    The script is invalid.'],
    [
      'name: a\nscript: "*"\ntestcases: []',
      ':3 template\n    testcases is unknown. Did you mean "testCases"?',
    ],
    ['name: [', ':1 template\n    The file is not YAML'],
  ])('reports an invalid template: %j', async (text, message) => {
    const path = await file('a.yaml', text);
    const { code, stdout } = await runCommand(['parsers', 'test', path]);
    expect(stdout).toContain(`${path}${message}`);
    expect(code).toBe(1);
  });

  it.each([
    [[], 'logclient: no files given. Pass files or folders.\n'],
    [['nothing.yaml'], 'logclient: there is no file or folder nothing.yaml. To read stdin, pass "-".\n'],
  ])('exits with 2 for the paths %j', async (paths, message) => {
    const { code, stderr } = await runCommand(['parsers', 'test', ...paths]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: message });
  });

  it('exits with 2 if no test case asserts anything, and names those that do not', async () => {
    const path = await file('a.yaml', 'name: a\nscript: "*"\ntests: [line]\n');
    const idle = ` Without assertions, which prove nothing: ${path}:3.\n`;
    const only = await runCommand(['parsers', 'test', path]);
    expect(only).toMatchObject({ code: 2, stderr: `logclient: the files have no test cases.${idle}` });
    await file('shop.yaml', SHOP);
    await file('teams.csv', TEAMS);
    const both = await runCommand(['parsers', 'test', folder]);
    expect(both).toMatchObject({ code: 0, stderr: `logclient: 1 test passed.${idle}` });
  });

  it('exits with 2 if there are no test cases', async () => {
    const path = await file('a.yaml', 'name: a\nscript: "*"\n');
    const { code, stderr } = await runCommand(['parsers', 'test', path]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'logclient: the files have no test cases.\n' });
  });
});

describe('logclient parsers push, pull and create', () => {
  async function access(): Promise<Record<string, string>> {
    const server = await startLocalServer();
    onTestFinished(() => server.close());
    return accessTo(server);
  }

  it('push creates and updates parsers, and pull writes them as templates that pass their tests', async () => {
    const env = await access();
    await file('in/shop.yaml', SHOP.replace(' | match("teams.csv", field=service, strict=false)', ''));
    await file('in/kv.yml', 'name: my/pkg:kv\nscript: kvParse()\ntests: [a=1]\n');
    const push = ['parsers', 'push', join(folder, 'in'), '-o', 'template', '--template', '{name}'];
    expect(await runCommand(push, { env })).toEqual({ code: 0, stdout: 'my/pkg:kv\nshop\n', stderr: '' });
    await file('in/kv.yml', `name: my/pkg:kv\nscript: kvParse(separator=":")\n${KV_TEST}`);
    expect((await runCommand(push, { env })).code).toBe(0);
    const out = join(folder, 'out');
    expect((await runCommand(['parsers', 'pull', '--to', out], { env })).code).toBe(0);
    expect((await readdir(out)).sort()).toEqual(['my%2Fpkg%3Akv.yaml', 'shop.yaml']);
    expect(await readFile(join(out, 'my%2Fpkg%3Akv.yaml'), 'utf8')).toContain('kvParse(separator=":")');
    expect((await runCommand(['parsers', 'test', out])).stderr).toBe('logclient: 2 tests passed.\n');
  });

  it('push sends nothing if a template is invalid', async () => {
    const env = await access();
    await file('a.yaml', 'name: a\nscript: "*"\n');
    const path = await file('b.yaml', 'script: "*"\n');
    const { code, stderr } = await runCommand(['parsers', 'push', folder], { env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: `logclient: ${path}:1: name is missing.\n` });
    expect((await runCommand(['parsers', 'list', '--json'], { env })).stdout).not.toContain('"name":"a"');
  });

  it('push names the template whose script the service rejects', async () => {
    const path = await file('bad.yaml', 'name: bad\nscript: "cuont("\n');
    const { code, stderr } = await runCommand(['parsers', 'push', path], { env: await access() });
    expect(code).toBe(1);
    expect(stderr).toContain(`logclient: ${path}: The script can't be`);
  });

  it('pull fails for a parser that does not exist', async () => {
    const { code, stderr } = await runCommand(['parsers', 'pull', 'nothing'], { env: await access() });
    expect(code).toBe(1);
    expect(stderr).toContain('there is no parser "nothing" in the repository');
  });

  it('create saves a template under another name, and rejects it together with --tag-fields', async () => {
    const env = await access();
    const path = await file('shop.yaml', SHOP.replace(/ \| match.*/, ''));
    const create = ['parsers', 'create', 'copy', path];
    expect((await runCommand(create, { env })).code).toBe(0);
    const { stdout } = await runCommand(['parsers', 'show', 'copy', '-o', 'json'], { env });
    expect(stdout).toContain('"tagFields":["service"]');
    const refused = await runCommand([...create, '--tag-fields', 'a'], { env });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('a template has its own fields');
  });

  it.each(['push', 'pull', 'create'])(
    '%s reports that Next-Gen SIEM has no API for parsers',
    async (command) => {
      const path = await file('shop.yaml', SHOP);
      const { server } = await startServiceOfKind('ngsiem');
      const { url, clientId, clientSecret } = server as NgsiemServer;
      const env = { FALCON_BASE_URL: url, FALCON_CLIENT_ID: clientId, FALCON_CLIENT_SECRET: clientSecret };
      const paths = command === 'pull' ? [] : command === 'push' ? [path] : ['shop', path];
      const words = ['parsers', command, ...paths];
      expect(await runCommand(words, { env: { ...env, LOGSCALE_REPOSITORY: 'search-all' } })).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'logclient: this command is not available on Next-Gen SIEM. Use the Falcon console instead.\n',
      });
    },
  );
});
