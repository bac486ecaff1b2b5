import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../helpers/cli-run.ts';

const TAGS =
  'Cps.version, Vendor, ecs.version, event.dataset, event.kind, event.module, event.outcome, observer.type';

const SCRIPT = `parseJson(prefix="Vendor.")
| Cps.version := "1.1.0" | Parser.version := "2.0.1" | Vendor := "acme" | ecs.version := "9.1.0"
| event.kind := "event" | event.module := "shop" | event.dataset := "shop.audit" | event.outcome := "success"
| array:append("event.category[]", values=["web"]) | array:append("event.type[]", values=["access"])
| user.email := lower(Vendor.mail)`;

/** The failures of a parser with some more steps. */
async function failures(steps: string, version?: string, tags = TAGS): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'logclient-cps-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const script = `${SCRIPT}\n${steps}`.replaceAll('\n', '\n  ');
  const event = `'{"mail":"Eva@Example.com"}'`;
  const text = `name: p\nscript: |\n  ${script}\ntagFields: [${tags}]\ntestCases:\n- event: { rawString: ${event} }\n`;
  await writeFile(join(folder, 'p.yaml'), text);
  const words = [
    'parsers',
    'test',
    folder,
    '--output',
    'json',
    '--cps',
    ...(version === undefined ? [] : [version]),
  ];
  const { stdout } = await runCommand(words);
  const [result] = JSON.parse(stdout) as { failures: { message: string }[] }[];
  return result!.failures.map(({ message }) => message);
}

describe('logclient parsers test --cps', () => {
  it('passes for a parser that follows the standard', async () => {
    expect(await failures('', '1.1')).toEqual([]);
  });

  it('checks version 1.2 by default', async () => {
    expect(await failures('')).toEqual([
      'Cps.version must be 1.2.x (got "1.1.0") (CPS 1.2: version of the standard).',
    ]);
  });

  it.each([
    ['| drop(Parser.version)', ['Parser.version is missing (CPS 1.1: required fields).']],
    ['| ecs.version := "9"', ['ecs.version must be MAJOR.MINOR.PATCH (got "9") (CPS 1.1: versions).']],
    [
      '| event.outcome := "ok"',
      [expect.stringMatching(/^#event\.outcome must be a value of ECS: failure, .* categorization\)/)],
    ],
    [
      '| array:append("event.type[]", values=["login"])',
      [expect.stringMatching(/^event\.type\[1\] must be .* \(got "login"\)/)],
    ],
    [
      '| event.category := "web"',
      [expect.stringMatching(/^event\.category must be an array\..*arrays\)\.$/)],
    ],
    [
      '| mail := Vendor.mail',
      ['mail is no field of ECS. Prefix it with "Vendor." (CPS 1.1: fields of ECS).'],
    ],
    ['| event.original := @rawstring', ['event.original must not exist (CPS 1.1: fields without a place).']],
    ['| event.code := 1', ['event.code must not exist (CPS 1.1: event.code and related).']],
    [
      '| user.email := Vendor.mail',
      ['user.email must be lowercase (got "Eva@Example.com") (CPS 1.1: lowercase values).'],
    ],
    ['| file.hash.md5 := "AB"', ['file.hash.md5 must be lowercase (got "AB") (CPS 1.1: lowercase values).']],
    ['| drop(Vendor.mail)', ['no field starts with "Vendor." (CPS 1.1: original fields).']],
    ['| event.kind := "alert"', ['an alert needs event.severity (CPS 1.1: alerts).']],
    ['| event.kind := "alert" | event.severity := 50', []],
    [
      '| event.severity := "high"',
      ['event.severity must be a number from 1 to 100 (got "high") (CPS 1.1: severity).'],
    ],
    [
      '| event.severity := 0',
      ['event.severity must be a number from 1 to 100 (got "0") (CPS 1.1: severity).'],
    ],
  ])('reports the rule that %s breaks', async (steps, messages) => {
    expect(await failures(steps, '1.1')).toEqual(messages);
  });

  it('reports fields that are no tags', async () => {
    expect(await failures('', '1.1', TAGS.replace('event.kind, ', ''))).toEqual([
      'event.kind is no tag. Add it to tagFields, so that it becomes #event.kind (CPS 1.1: tags).',
    ]);
  });

  it.each([
    [
      '1.0',
      '| Cps.version := "1.0.0" | user.email := Vendor.mail | event.kind := "alert" | event.severity := 0',
      [],
    ],
    ['1.2', '| Cps.version := "1.2.0" | event.code := 1 | related.ip := "::1"', []],
    [
      '1.0',
      '| Cps.version := "1.0.0" | related.ip := "::1"',
      ['related.ip must not exist (CPS 1.0: event.code and related).'],
    ],
  ])('applies the rules of version %s to %s', async (version, steps, messages) => {
    expect(await failures(steps, version)).toEqual(messages);
  });

  it('rejects other versions', async () => {
    const { code, stderr } = await runCommand(['parsers', 'test', '.', '--cps', '2.0']);
    expect(stderr).toContain('1.0, 1.1, 1.2');
    expect(code).toBe(2);
  });
});
