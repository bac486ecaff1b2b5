import { appendFile, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { mayBeUtf8 } from '../../../src/core/bytes.ts';
import { filesFirst, sourcesOf } from '../../../src/tools/query/file-arguments.ts';
import { bytesOfFiles } from '../../../src/tools/settings/file-bytes.ts';
import { runCommand, startCommand } from '../../helpers/cli-run.ts';
import { eventually } from '../../helpers/eventually.ts';

const BEGIN = Date.UTC(2026, 0, 1, 10);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logclient-files-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function record(minute: number, msg: string, level = 30): string {
  return JSON.stringify({ level, time: BEGIN + minute * 60_000, msg });
}

async function put(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** The messages of all events, in order. */
async function messages(...words: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runCommand(['query', ...words, '--template', '{msg}']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.split('\n').slice(0, -1);
}

describe('logclient query with several files', () => {
  it('reads a rotated set in the order of time, also if a part is compressed and a last line is not ended', async () => {
    await put('app.log', record(3, 'new'));
    await put('app.log.1', record(2, 'older'));
    await put('app.log.2.gz', gzipSync(`${record(0, 'oldest')}\n${record(1, 'old')}`));
    expect(await messages(join(folder, 'app.log*'))).toEqual(['oldest', 'old', 'older', 'new']);
    const paths = ['app.log', 'app.log.1', 'app.log.2.gz'].map((name) => join(folder, name));
    expect(await messages(...paths, 'msg=old*')).toEqual(['oldest', 'old', 'older']);
  });

  it('shows which file each event is from in the tag #file, by its path if two have the same name', async () => {
    const [one, two] = [await put('a.log', record(1, 'one')), await put('b.log', record(2, 'two'))];
    const query = async (...words: string[]) => (await runCommand(['query', ...words, '-o', 'csv'])).stdout;
    expect(await query(two, one, '#file=* | groupBy([#file, msg], function=[])')).toBe(
      '#file,msg\na.log,one\nb.log,two\n',
    );
    expect(await query(one, two, 'select([#file, msg])')).toBe('#file,msg\na.log,one\nb.log,two\n');
    expect(await query(one, '#file=* | count()')).toBe('_count\n0\n');
    await mkdir(join(folder, 'old'));
    const old = await put('old/a.log', record(0, 'old'));
    expect(await query(one, old, '#file="*old/a.log" | select(msg)')).toBe('msg\nold\n');
  });

  it('reads each file once, whatever the words and the byte-order marks of the files are', async () => {
    const one = await put('a.log', `\ufeff${record(1, 'one')}\n`);
    await put('b.log', `\ufeff${record(2, 'two')}\r\n`);
    expect(await messages(one, join(folder, '*.log'), 'level=info')).toEqual(['one', 'two']);
    expect(await messages(join(folder, '*'), 'two')).toEqual(['two']);
  });

  it('reads a character device, such as /dev/null, like a file', async () => {
    expect(await messages('/dev/null', await put('a.log', record(1, 'one')), 'level=info')).toEqual(['one']);
  });

  it.each(['a b', 'журнал', 'x@y+z', 'p (1)', 'C~1'])(
    'finds the files of a pattern in the folder %s',
    async (name) => {
      await mkdir(join(folder, name));
      await put(`${name}/a.log`, record(1, 'one'));
      expect(await messages(join(folder, name, '*.log'))).toEqual(['one']);
    },
  );

  it('does not take a query with stars and slashes for a pattern, unless it names files', () => {
    for (const query of ['/.*/', '/a*/i | count()', 'path=/var/*.log', '*', 'a*/b', '/*/', '**/x']) {
      expect(filesFirst([query])).toEqual({ paths: [], others: [query] });
    }
  });

  it('reads the files of a pattern in the working directory, unless it can be the query', async () => {
    for (const name of ['access.log', 'access.log.1']) await put(name, record(1, 'one'));
    const own = process.cwd();
    onTestFinished(() => process.chdir(own));
    process.chdir(folder);
    const both = ['access.log', 'access.log.1'];
    for (const [pattern, paths, alone] of [
      ['access.log*', both, both],
      ['access.log.*', ['access.log.1'], ['access.log.1']],
      ['access.log.?', ['access.log.1'], ['access.log.1']],
      ['access*', both, []],
      ['*.1', ['access.log.1'], []],
    ] as const) {
      expect(filesFirst([pattern, 'count()'])).toEqual({ paths, others: ['count()'] });
      expect(filesFirst(['access.log', pattern, 'count()']).others).toEqual(['count()']);
      expect(filesFirst([pattern]).paths).toEqual(alone);
      expect(await sourcesOf([pattern], '')).toEqual(paths);
    }
  });

  it('reads a file once that several links and spellings name', async () => {
    const path = await put('a.log', record(1, 'one'));
    await symlink(path, join(folder, 'current.log'));
    expect(await messages(join(folder, '*.log'))).toEqual(['one']);
    expect(await messages(path, `${folder}/./a.log`, 'level=info')).toEqual(['one']);
  });

  it('refuses UTF-16 and says how to convert it', async () => {
    for (const mark of [
      [0xff, 0xfe],
      [0xfe, 0xff],
    ]) {
      const path = await put('a.log', Buffer.from([...mark, ...Buffer.from('{}\n', 'utf16le')]));
      expect(await runCommand(['query', path])).toEqual({
        code: 1,
        stdout: '',
        stderr: `logclient: ${path} is not UTF-8 but UTF-16. Convert it first: iconv -f UTF-16 -t UTF-8\n`,
      });
    }
  });

  it('finds each line of a file that takes several reads, of which some are shorter than a line', async () => {
    const lengths = [10, 400_000, 200_000, 700_000, 5, 1_200_000, 70_000, 60_000, 3];
    const all = lengths.map((length, n) => record(n, `${n} ${'x'.repeat(length)}`));
    const path = await put('a.log', all.join('\n'));
    const { stdout } = await runCommand(['query', path, 'x', '--template', '{msg}']);
    expect(stdout.split('\n').map(({ length }) => length - 2)).toEqual([...lengths, -2]);
  });

  it('says so when a file is truncated while it is read', async () => {
    const path = await put('a.log', `${record(1, 'one')}\n`.repeat(100_000));
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    for await (const _ of bytesOfFiles([path])) await truncate(path, 10);
    const notes = written.mock.calls.map(([text]) => text);
    written.mockRestore();
    expect(notes).toEqual([`logclient: ${path} was truncated while it was read.\n`]);
  });

  it('finds the files of a pattern with backslashes where they separate folders, as on Windows', async () => {
    const paths = [await put('a.log', ''), await put('b.log', '')];
    const pattern = `${folder.replaceAll('/', '\\')}\\*.log`;
    expect(filesFirst([pattern, 'count()'], '\\')).toEqual({ paths, others: ['count()'] });
    expect(filesFirst([pattern], '/').paths).toEqual([]);
    expect(filesFirst(['/a\\d*/ | count()'], '\\').paths).toEqual([]);
  });

  it.each([
    ['**', ['a.log', 'web/b.log', 'web/x/c.log']],
    ['**/*.log', ['a.log', 'web/b.log', 'web/x/c.log']],
    ['*/*.log', ['web/b.log']],
    ['web/**/?.log', ['web/b.log', 'web/x/c.log']],
    ['**/.hidden/*', ['.hidden/d.log']],
  ])(
    'finds the files of folders inside with **, except hidden ones and packages: %s',
    async (pattern, names) => {
      for (const inner of ['web/x', '.hidden', 'node_modules/e'])
        await mkdir(join(folder, inner), { recursive: true });
      const others = ['.hidden/d.log', 'node_modules/e/e.log'];
      for (const name of ['a.log', 'web/b.log', 'web/x/c.log', ...others]) await put(name, '');
      expect(filesFirst([`${folder}/${pattern}`]).paths).toEqual(names.map((name) => join(folder, name)));
    },
  );

  it('takes a pattern without a matching file as a query', async () => {
    const file = await put('a.log', `${record(1, 'see logs/x.log')}\n${record(2, 'two')}\n`);
    const { stdout, stderr } = await runCommand(['query', file, 'logs/*.log', '--template', '{msg}']);
    expect(stdout).toBe('see logs/x.log\n');
    expect(stderr).toBe('logclient: there is no file logs/*.log; searching for this text.\n');
  });
});

it('logclient query FILE -n shows the first events, and says so on a terminal', async () => {
  const path = await put('a.log', ['one', 'two', 'three'].map((msg, n) => record(n, msg)).join('\n'));
  expect(await messages(path, '-n', '2')).toEqual(['one', 'two']);
  const { stdout, stderr } = await runCommand(['query', path, '-n', '2'], { terminal: 100 });
  expect(stdout).toMatch(/one\n.*two\n$/);
  expect(stderr).toBe('logclient: the first 2 events. For the last, end the query with tail(2).\n');
});

it.each([
  ["level=info | groupBy(msg)' --fail-on-match", '--fail-on-match: 2 rows matched.'],
  ["count()' --fail-on-match", '--fail-on-match: _count is 2.'],
  ["level=info' --fail-on-match", '--fail-on-match: 2 events matched.'],
])("logclient query FILE '%s says what matched", async (words, message) => {
  const path = await put('a.log', ['one', 'two'].map((msg, n) => record(n, msg)).join('\n'));
  const { code, stderr } = await runCommand(['query', path, ...words.split("' ")]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: `logclient: ${message}\n` });
});

it.each(['a=1', '*'])(
  'logclient query %s with a file after it says that the file goes first',
  async (query) => {
    const path = await put('a.log', record(1, 'one'));
    const { code, stderr } = await runCommand(['query', query, path]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `logclient: the file goes first: logclient query ${path} '${query}'\n`,
    });
  },
);

describe('A compressed file', () => {
  it('is read up to its damage, which is reported once by name', async () => {
    const lines = Array.from({ length: 5000 }, (_, n) => record(n, `${n * 7919}`)).join('\n');
    const zipped = gzipSync(lines);
    const path = await put('app.log.gz', zipped.subarray(0, zipped.length / 2));
    const other = await put('b.log', `${record(1, 'one')}\n`);
    const { code, stdout, stderr } = await runCommand(['query', path, other, 'count()']);
    expect(JSON.parse(stdout)._count).toMatch(/^2\d{3}$/);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `logclient: can't decompress ${path}: the file is damaged or incomplete (Z_BUF_ERROR).\n`,
    });
  });

  it('is read if gzip wrote it in several parts', async () => {
    const path = await put(
      'app.log.gz',
      Buffer.concat([gzipSync(`${record(1, 'one')}\n`), gzipSync(record(2, 'two'))]),
    );
    expect(await messages(path)).toEqual(['one', 'two']);
  });

  it('is read if zstd wrote it and Node has zstd; an error names the version otherwise', async () => {
    const { zstdCompressSync } = zlib as { zstdCompressSync?: (text: string) => Uint8Array };
    const content = zstdCompressSync?.(record(1, 'one')) ?? Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 0);
    const path = await put('app.log.zst', content);
    if (zstdCompressSync !== undefined) expect(await messages(path)).toEqual(['one']);
    else {
      expect((await runCommand(['query', path])).stderr).toBe(
        `logclient: ${path} is compressed with zstd, which needs Node 22.15 or later; this is ${process.version}. Decompress it first: zstd -d ${path}\n`,
      );
    }
  });
});

describe('logclient query --follow', () => {
  it('shows what the file has and what is appended, until it is stopped', async () => {
    const path = await put('app.log', `${record(1, 'one')}\n`);
    const cli = startCommand(['query', '--follow', path, 'level=info', '--template', '{msg}']);
    await eventually(() => expect(cli.output.stdout).toBe('one\n'));
    await appendFile(path, `${record(2, 'hidden', 20)}\n${record(2, 'two')}\n`);
    await eventually(() => expect(cli.output.stdout).toBe('one\ntwo\n'));
    cli.kill('SIGINT');
    expect(await cli.ended).toBe(0);
    expect(cli.output.stderr).toBe('');
  });

  it.each([
    [['--follow', 'FILE', 'count()'], 'this query has a result only at the end'],
    [['--follow', 'FILE', 'join({n=*}, field=n)'], 'this query has a result only at the end'],
    [['--follow', 'FILE.gz'], '--follow and "logclient mcp" need plain text: '],
    [['--follow', 'FILE.gz'], '.gz is compressed with gzip. Decompress it first: gunzip '],
    [['--follow', 'level=info'], '--follow needs the path of a file'],
    [['--follow', 'FILE', 'FILE.1'], '--follow reads one file'],
  ])('is refused with a reason: %j', async (words, reason) => {
    const path = await put('app.log', record(1, 'one'));
    await put('app.log.1', record(0, 'zero'));
    await put('app.log.gz', gzipSync(record(0, 'zero')));
    const { code, stderr } = await runCommand(['query', ...words.map((word) => word.replace('FILE', path))]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(reason) });
  });
});

describe('A log', () => {
  it('of times without a zone reads --from and --to in --timezone, too', async () => {
    const path = await put('app.log', '{"time":"2026-01-01T10:00:00Z","msg":"in"}\n');
    const times = ['--from', '2026-01-01T05:00', '--to', '2026-01-01 05:01'];
    expect(await messages(path, ...times, '--timezone', 'America/New_York')).toEqual(['in']);
  });

  it.each(['file', 'stdin'])('with NULs after a power loss is read without them, from a %s', async (from) => {
    const text = `${record(0, 'a')}\n${'\0'.repeat(4096)}${record(1, 'b')}\n`;
    const [word, stdin, name] =
      from === 'stdin'
        ? ['--stdin', text, 'stdin']
        : [await put('a.log', text), undefined, join(folder, 'a.log')];
    const { stdout, stderr } = await runCommand(['query', word, '--template', '{msg}'], { stdin });
    expect(stdout).toBe('a\nb\n');
    expect(stderr).toBe(`logclient: skipped 4,096 NUL bytes in ${name}.\n`);
  });

  it.each(['file', 'stdin', 'gzip'])('in Latin-1 is reported once, and read on, from a %s', async (from) => {
    const text = `${record(0, 'Grösse überschritten')}\n${record(1, 'b')}\n`;
    const latin1 = Buffer.from(text.repeat(9), 'latin1');
    const path = await put('a.log', from === 'gzip' ? gzipSync(latin1) : latin1);
    const [word, name] = from === 'stdin' ? ['--stdin', 'stdin'] : [path, path];
    const stdin = from === 'stdin' ? Readable.from([latin1]) : undefined;
    const { code, stdout, stderr } = await runCommand(['query', word, 'count()', '-o', 'raw'], { stdin });
    expect([code, stdout]).toEqual([0, '18\n']);
    expect(stderr).toBe(
      `logclient: ${name} is not UTF-8: some of its characters become \ufffd. If it is Latin-1, convert it first: iconv -f ISO-8859-1 -t UTF-8\n`,
    );
  });

  it('in UTF-8 has no report, wherever chunks end', () => {
    const text = Buffer.from('日本ß😀é\n'.repeat(9));
    for (const size of [1, 2, 3, 4, 5, 7, 64]) {
      const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
        text.subarray(n * size, (n + 1) * size),
      );
      expect(parts.filter((part) => !mayBeUtf8(part))).toEqual([]);
    }
  });

  it('with a line of more than 8 MiB says that it is cut, unless it is an array', async () => {
    const [line, array] = [`{"a":"${'x'.repeat(9_000_000)}"}`, `[${'{"a":1},'.repeat(1_200_000)}{"a":1}]`];
    const { stderr } = await runCommand(['query', await put('a.log', line), 'count()']);
    expect(stderr).toBe(`logclient: cut 1 line of more than 8 MiB in ${join(folder, 'a.log')} into parts.\n`);
    expect((await runCommand(['query', await put('b.log', array), 'count()'])).stderr).toBe('');
  });

  it.each([
    ['spread NULs', [...'level=info'].join('\0').repeat(20)],
    ['the magic of tar', `${'a.log'.padEnd(257, '\0')}ustar${'\0'.repeat(250)}${'a line\n'.repeat(900)}`],
  ])('with %s is rejected as binary', async (_, text) => {
    const { stderr } = await runCommand(['query', await put('a.log', text)]);
    expect(stderr).toContain('contains binary data');
  });
});
