import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { ingest, post, stream } from './query-calls.ts';
import { graphql } from './service-calls.ts';

const NOW = Date.UTC(2026, 1, 3, 9);

let server: LocalServer;
let client: LogClient;
beforeEach(async () => {
  server = await startLocalServer({ listen: true, now: NOW });
  const { url: baseUrl, repository, userToken } = server;
  client = new LogClient({ baseUrl, repository, userToken });
});
afterEach(() => server.close());

/** The events parsed from lines, oldest first, without the server's own fields. */
async function parsed(parser: string, ...messages: string[]): Promise<Record<string, string>[]> {
  await client.ingestMessages(messages, { parser });
  return server.inspect.events().map((event) => {
    const {
      '@id': _id,
      '@ingesttimestamp': _arrival,
      '#repo': _repo,
      '@timestamp.nanos': _nanos,
      ...rest
    } = event;
    return rest;
  });
}

describe('Built-in syslog parsers', () => {
  const cases: readonly (readonly [string, string, Record<string, string>])[] = [
    [
      'RFC 3164',
      '<34>Feb  2 22:14:15 mail su[231]: failed for root on=/dev/pts/8',
      {
        '@timestamp': String(Date.UTC(2026, 1, 2, 22, 14, 15)),
        priority: '34',
        facility: '4',
        severity: '2',
        host: 'mail',
        app: 'su',
        pid: '231',
        message: 'failed for root on=/dev/pts/8',
        on: '/dev/pts/8',
      },
    ],
    [
      'RFC 3164 of last year, without a priority',
      'Dec 31 23:59:59 mail cron: good night',
      {
        '@timestamp': String(Date.UTC(2025, 11, 31, 23, 59, 59)),
        host: 'mail',
        app: 'cron',
        message: 'good night',
      },
    ],
    [
      'ISO 8601 with an offset',
      '<13>2026-02-03T09:30:00.250+01:00 shop nginx[7]: GET /cart status=200',
      {
        '@timestamp': String(Date.UTC(2026, 1, 3, 8, 30, 0, 250)),
        '@timezone': '+01:00',
        facility: '1',
        severity: '5',
        app: 'nginx',
        status: '200',
      },
    ],
    [
      'RFC 5424',
      '<165>1 2026-02-03T08:00:00.003Z db.example.com postgres 99 ID47 [origin@1 ip="10.0.0.1" note="a \\"b\\" ]"] checkpoint done',
      {
        '@timestamp': String(Date.UTC(2026, 1, 3, 8, 0, 0, 3)),
        facility: '20',
        severity: '5',
        version: '1',
        host: 'db.example.com',
        app: 'postgres',
        pid: '99',
        msgid: 'ID47',
        structured_data: '[origin@1 ip="10.0.0.1" note="a \\"b\\" ]"]',
        message: 'checkpoint done',
        ip: '10.0.0.1',
      },
    ],
    [
      'RFC 5424 with nothing but what must be there',
      '<0>1 - - - - - -',
      { '@timestamp': String(NOW), severity: '0', facility: '0', host: '-', structured_data: '-' },
    ],
  ];

  it.each(cases)('read %s', async (_form, line, fields) => {
    const [event] = await parsed('syslog', line);
    expect(event).toMatchObject({ ...fields, '#type': 'syslog', '@rawstring': line });
    expect(event).not.toHaveProperty('@error');
    expect(event).not.toHaveProperty('_time');
  });

  it('keep a line that is not syslog and mark it with @error', async () => {
    expect(await parsed('syslog-utc', 'hello user=bob')).toEqual([
      {
        '@timestamp': String(NOW),
        '@timezone': 'Z',
        '@rawstring': 'hello user=bob',
        '#type': 'syslog-utc',
        '@error': 'true',
        '@event_parsed': 'false',
        '@error_msg': 'The text is not a line of syslog.',
        user: 'bob',
      },
    ]);
  });
});

describe('Built-in JSON parsers', () => {
  it.each(['json', 'json-for-action', 'audit-log'])(
    '%s reads the fields and the time of an event',
    async (parser) => {
      const line = `{"@timestamp": ${NOW - 5}, "user": {"name": "bob"}, "tries": [1, 2.0]}`;
      expect(await parsed(parser, line)).toMatchObject([
        { '@timestamp': String(NOW - 5), 'user.name': 'bob', 'tries[1]': '2.0', '#type': parser },
      ]);
    },
  );
});

const SHOP = String.raw`/^(?<when>\S+ \S+) (?<level>[A-Z]+) \[(?<service>[^\]]+)\] (?<text>.*)$/
| parseTimestamp("yyyy-MM-dd HH:mm:ss[.SSS]", field=when, timezone="Europe/Copenhagen")
| drop(when)
| case {
    level=DEBUG | dropEvent();
    level=/^(WARN|ERROR)$/ | #alert := "yes";
    *;
  }
| kvParse(text)
| #type := "shop"`;

describe('Parser script', () => {
  it('sets fields, times, tags and types, and drops events', async () => {
    await client.createParser('shop-lines', SHOP, { fieldsToTag: ['service'] });
    const events = await parsed(
      'shop-lines',
      '2026-02-03 09:00:00.125 ERROR [cart] order=17 failed',
      '2026-02-03 09:00:01 DEBUG [cart] nothing',
      '2026-02-03 09:00:02 INFO [pay] amount=9.50',
    );
    expect(events).toEqual([
      {
        '@timestamp': String(Date.UTC(2026, 1, 3, 8, 0, 0, 125)),
        '@timezone': 'Europe/Copenhagen',
        '@rawstring': '2026-02-03 09:00:00.125 ERROR [cart] order=17 failed',
        '#type': 'shop',
        '#alert': 'yes',
        '#service': 'cart',
        level: 'ERROR',
        text: 'order=17 failed',
        order: '17',
      },
      {
        '@timestamp': String(Date.UTC(2026, 1, 3, 8, 0, 2)),
        '@timezone': 'Europe/Copenhagen',
        '@rawstring': '2026-02-03 09:00:02 INFO [pay] amount=9.50',
        '#type': 'shop',
        '#service': 'pay',
        level: 'INFO',
        text: 'amount=9.50',
        amount: '9.50',
      },
    ]);
    expect(await stream(server, '#alert=yes | count()')).toEqual([{ _count: '1' }]);
    expect(server.inspect.rejections()).toMatchObject([
      {
        status: 200,
        reason: 'The parser shop-lines dropped the event.',
        excerpt: '2026-02-03 09:00:01 DEBUG [cart] nothing',
        count: 1,
      },
    ]);
  });

  it('searches the event as previous steps left it', async () => {
    await client.createParser(
      'steps',
      'word := "needle" | case { needle | found := "1"; * } | /nee(?<rest>\\w+)/',
    );
    expect(await parsed('steps', 'hay')).toMatchObject([{ found: '1', rest: 'dle' }]);
    expect(await stream(server, 'word := "pin" | pin | count()')).toEqual([{ _count: '0' }]);
  });

  it('can split one event into several, each with its own @id', async () => {
    await client.createParser('many', 'parseJson() | split(items) | drop(@rawstring)');
    const events = await parsed('many', '{"items": [{"n": 1}, {"n": 2}]}');
    expect(events.map((event) => event['items.n'])).toEqual(['1', '2']);
    expect(new Set(server.inspect.events().map((event) => event['@id'])).size).toBe(2);
    expect(events[0]).toMatchObject({ '@timestamp': String(NOW), '@rawstring': '' });
  });

  it('uses lookup files as they are when the event arrives', async () => {
    await client.uploadFile({ name: 'teams.csv', content: 'host,team\nweb,blue\n' });
    await client.createParser('teams', 'kvParse() | match("teams.csv", field=host, strict=false)');
    await client.ingestMessages(['host=web'], { parser: 'teams' });
    await client.uploadFile({ name: 'teams.csv', content: 'host,team\nweb,green\n' });
    expect((await parsed('teams', 'host=web')).map(({ team }) => team)).toEqual(['blue', 'green']);
  });

  it('skips match() and reports it if the lookup file was deleted', async () => {
    await client.uploadFile({ name: 'teams.csv', content: 'host,team\nweb,blue\n' });
    await client.createParser('teams', 'kvParse() | match("teams.csv", field=host) | parsed := true');
    await client.deleteFile('teams.csv');
    expect(await parsed('teams', 'host=web')).toMatchObject([
      {
        host: 'web',
        parsed: 'true',
        '@error': 'true',
        '@error_msg':
          'The parser "teams" uses the lookup file "teams.csv", which doesn\'t exist: match() is skipped.',
      },
    ]);
    await client.uploadFile({ name: 'teams.csv', content: 'host,team\nweb,green\n' });
    expect((await parsed('teams', 'host=web')).map(({ team }) => team)).toEqual([undefined, 'green']);
  });

  it('cannot change @id, #repo or @ingesttimestamp, or set @timestamp to an invalid time', async () => {
    await client.createParser(
      'liar',
      '@id := "x" | #repo := "y" | @ingesttimestamp := 1 | @timestamp := "soon"',
    );
    await client.ingestMessages(['a'], { parser: 'liar' });
    expect(server.inspect.events()).toMatchObject([
      {
        '@timestamp': String(NOW),
        '@id': expect.stringMatching(/^[A-Za-z0-9]{24}_/),
        '#repo': 'sandbox',
        '@ingesttimestamp': String(NOW),
        '@error': 'true',
        '@error_msg': 'The parser set @timestamp to a value that is not a time.',
      },
    ]);
  });

  it('sees the fields and tags of the request, except fieldsToBeRemovedBeforeParsing', async () => {
    await client.createParser('fields', 'seen := format("%s %s", field=[#env, a])', {
      fieldsToBeRemovedBeforeParsing: ['b'],
    });
    await client.ingestMessages(['x'], {
      parser: 'fields',
      fields: { a: '1', b: '2' },
      tags: { env: 'test' },
    });
    const [event] = server.inspect.events();
    expect(event).toMatchObject({ seen: 'test 1', a: '1' });
    expect(event).not.toHaveProperty('b');
  });

  it('keeps an event whose time it cannot parse', async () => {
    await client.createParser('dated', '/^(?<when>\\S+)/ | parseTimestamp(field=when)');
    expect(await parsed('dated', 'yesterday at noon')).toMatchObject([
      { '@timestamp': String(NOW), '@rawstring': 'yesterday at noon', '@error': 'true' },
    ]);
  });

  it('keeps an event unparsed if it would become more than 10,000', async () => {
    await client.createParser('explode', '/(?<letter>.)/g');
    const [event, ...others] = await parsed('explode', 'x'.repeat(20_000));
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      '@rawstring': 'x'.repeat(20_000),
      '@event_parsed': 'false',
      '@error_msg': 'The parser "explode" failed. It creates more than 10000 events from one.',
    });
  });

  it('keeps an event with a value for which a regular expression needs too many steps', async () => {
    await client.createParser('look', 'case { @rawstring=/^(a|aa)+\\1[xy]/ | parsed := "yes"; * }');
    const long = 'a'.repeat(5000);
    await client.ingestMessages(['aaax', long, 'aaax'], { parser: 'look' });
    const failed = {
      '@rawstring': long,
      '@error': 'true',
      '@error_msg': expect.stringMatching(
        /^The parser "look" failed\. The regular expression .* needs too many steps\./,
      ),
    };
    expect(server.inspect.events()).toMatchObject([{ parsed: 'yes' }, failed, { parsed: 'yes' }]);
    const rejection = { status: 200, reason: failed['@error_msg'], count: 1 };
    expect(server.inspect.rejections()).toMatchObject([rejection]);
  });
});

describe('Custom parser', () => {
  beforeEach(() => client.createParser('mark', 'marked := length(@rawstring)'));

  async function tokenWith(parser: string): Promise<string> {
    const { data } = await graphql(
      server,
      `mutation ($parser: String) { addIngestTokenV3(input: {repositoryName: "sandbox", name: "t", parser: $parser}) {
        token parser { name script } } }`,
      { parser },
    );
    expect(data.addIngestTokenV3.parser).toEqual({ name: 'mark', script: 'marked := length(@rawstring)' });
    return data.addIngestTokenV3.token;
  }

  it('parses messages, raw text, JSON and structured events when assigned to their token', async () => {
    const token = await tokenWith('mark');
    await post(server, 'ingest/humio-unstructured', '[{"type": "kv", "messages": ["abc"]}]', { token });
    await post(server, 'ingest/raw', 'abcd', { token });
    await post(server, 'ingest/json', '[{"a": 1}]', { token });
    const structured = [{ events: [{ timestamp: NOW - 9, attributes: { a: 1 }, rawstring: 'abcdef' }] }];
    await post(server, 'ingest/humio-structured', JSON.stringify(structured), { token });
    const events = server.inspect.events();
    expect(events.map((event) => event.marked).sort()).toEqual(['3', '4', '6', '7']);
    expect(events.every((event) => event['#type'] === 'mark')).toBe(true);
    expect(events[0]).toMatchObject({ '@timestamp': String(NOW - 9), a: '1', marked: '6' });
  });

  it('is selected by sourcetype in the event collector', async () => {
    const body =
      '{"sourcetype": "mark", "event": "abc"} {"sourcetype": "json", "event": "{\\"timestamp\\": 5}"}';
    await post(server, 'ingest/hec', body, { token: server.ingestToken });
    expect(server.inspect.events()).toMatchObject([
      { '@timestamp': '5', '#type': 'json' },
      { '@timestamp': String(NOW), '#type': 'mark', marked: '3' },
    ]);
  });

  it('is removed from its token when deleted, and parses no later events', async () => {
    await tokenWith('mark');
    const { id } = (await client.listParsers()).find(({ name }) => name === 'mark')!;
    expect(await client.deleteParser(id)).toBe(true);
    const { data } = await graphql(
      server,
      '{ repository(name: "sandbox") { ingestTokens { name parser { name } } } }',
    );
    expect(data.repository.ingestTokens).toContainEqual({ name: 't', parser: null });
    expect((await parsed('mark', 'abc'))[0]).toMatchObject({
      '@error': 'true',
      '@error_msg': expect.stringMatching(/^There is no parser "mark"/),
    });
  });
});

describe('Parser creation', () => {
  it.each([
    [
      'a = ',
      'The script can\'t be parsed. Expected a value after "=", found the end of the query (line 1, column 5).',
    ],
    [
      'cuont()',
      'The script can\'t be run. There is no function "cuont". Did you mean "count"? (line 1, column 1).',
    ],
    [
      'a=1\n| groupBy(a)',
      "groupBy() can't be used in a parser: it sees one event at a time (line 2, column 3).",
    ],
    ['[count()]', "can't be used in a parser: it sees one event at a time (line 1, column 1)."],
    [
      'join({a=1}, field=a)',
      "join() can't be used in a parser: it sees one event at a time (line 1, column 1).",
    ],
    [
      'x := now() - start()',
      "start() can't be used in a parser: a parser has no search interval (line 1, column 14).",
    ],
  ])('rejects the script %j', async (script, problem) => {
    await expect(client.createParser('bad', script)).rejects.toThrow(problem);
    expect((await client.listParsers()).some(({ name }) => name === 'bad')).toBe(false);
  });

  it('rejects an existing name unless allowOverwritingExistingParser is set', async () => {
    const { id } = await client.createParser('p', 'a := 1');
    await expect(client.createParser('p', 'a := 2')).rejects.toThrow(
      'A parser with this name already exists.',
    );
    await expect(client.createParser('kv', 'a := 2')).rejects.toThrow('is the name of a built-in parser');
    const { data } = await graphql(
      server,
      `mutation { createParserV2(input: {name: "p", repositoryName: "sandbox", script: "a := 3", testCases: [],
        fieldsToTag: [], fieldsToBeRemovedBeforeParsing: [], allowOverwritingExistingParser: true}) { id script } }`,
    );
    expect(data).toEqual({ createParserV2: { id, script: 'a := 3' } });
  });

  it('works with createParser, updateParserV2 and removeParser', async () => {
    const { data } = await graphql(
      server,
      `mutation { createParser(input: {name: "old", repositoryName: "sandbox", sourceCode: "kvParse()", tagFields: ["a"]}) {
        parser { id sourceCode tagFields } } }`,
    );
    const { id } = data.createParser.parser;
    expect(data.createParser.parser).toEqual({ id, sourceCode: 'kvParse()', tagFields: ['a'] });
    const changed = await graphql(
      server,
      `mutation ($id: String!) { updateParserV2(input: {repositoryName: "sandbox", id: $id, name: "new", script: {script: "b := 1"}}) {
        name script fieldsToTag testCases { event { rawString } } } }`,
      { id },
    );
    expect(changed.data.updateParserV2).toEqual({
      name: 'new',
      script: 'b := 1',
      fieldsToTag: ['a'],
      testCases: [],
    });
    const removed = await graphql(
      server,
      `mutation ($id: String!) { removeParser(input: {repositoryName: "sandbox", id: $id}) { parser { name } } }`,
      { id },
    );
    expect(removed.data.removeParser.parser).toEqual({ name: 'new' });
  });
});

it('a structured event without a parser is not parsed', async () => {
  await ingest(server, [{ timestamp: NOW, attributes: { a: 1 }, rawstring: 'b=2' }]);
  expect(server.inspect.events()[0]).not.toHaveProperty('b');
});
