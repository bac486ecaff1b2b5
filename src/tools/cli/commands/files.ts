import { basename } from 'node:path';
import { existing, usageFailure } from '../../output/command-failure.ts';
import { wholeNumber } from '../../output/flag-values.ts';
import { writeOutput } from '../../output/standard-output.ts';
import { readInputFile } from '../../settings/input-file.ts';
import { deletion, type Resource } from './resource.ts';

export const FILES: Resource = {
  name: 'files',
  about: 'Manage lookup files.',
  operations: [
    {
      usage: 'list',
      about: 'List the lookup files.',
      examples: [['logclient files list', 'list names, sizes and dates']],
      columns: ['name', 'bytes', 'modified'],
      async run({ client, signal }) {
        const all = await client.listFiles({ signal });
        return all.map(({ nameAndPath: { path, name }, fileSizeBytes: bytes, modifiedAt: modified }) => ({
          name: path ?? name,
          bytes,
          modified,
        }));
      },
    },
    {
      usage: 'show <name>',
      about: 'Show the rows of a CSV file.',
      flags: [
        ['--offset <number>', 'Number of rows to skip. Default: 0.', wholeNumber(0)],
        ['--limit <number>', 'Maximum number of rows. Default: 200.', wholeNumber(1)],
        ['--filter <text>', 'Show only rows that contain this text.'],
      ],
      examples: [['logclient files show hosts.csv', 'show the first 200 rows']],
      columns: [],
      async run({ client, signal, flags, write }, name) {
        const { offset, limit, filter: filterString } = flags;
        const { headers, lines } = await client.getFileContent(name, { offset, limit, filterString, signal });
        const rowOf = (line: readonly string[]) =>
          Object.fromEntries(headers.map((header, index) => [header, line[index]]));
        await write(lines.map(rowOf), headers);
        return undefined;
      },
    },
    {
      usage: 'upload <path>',
      about: 'Upload a file ("-" for stdin). Replaces any file with the same name.',
      flags: [
        [
          '--name <name>',
          'Name of the file on the service. Default: the local file name. Required for stdin.',
        ],
      ],
      examples: [
        ['logclient files upload hosts.csv', 'upload a file'],
        ['cat hosts.csv | logclient files upload - --name hosts.csv', 'upload from a pipe'],
      ],
      async run({ client, signal, flags }, path) {
        if (path === '-' && flags.name === undefined) {
          throw usageFailure('stdin has no file name. Pass --name <name>, such as --name hosts.csv.');
        }
        const name = flags.name ?? basename(path);
        const content = await readInputFile('the file', path);
        await client.uploadFile({ name, content }, { signal });
        return `uploaded ${name} to ${client.repository}.`;
      },
    },
    {
      usage: 'download <name>',
      about: 'Download a file and write it to stdout unchanged.',
      flags: [['-O, --out <path>', 'Write to this file instead of stdout.']],
      examples: [['logclient files download hosts.csv > copy.csv', 'download a file']],
      async run({ client, signal, flags: { out } }, name) {
        const bytes = await client.getFile(name, { signal });
        if (out === undefined) {
          await writeOutput(bytes);
          return undefined;
        }
        const { writeOutputFile } = await import('../../output/output-file.ts');
        await writeOutputFile(out, bytes);
        return `wrote ${bytes.length} bytes to ${out}.`;
      },
    },
    deletion('files', 'file', 'hosts.csv', async ({ client, signal }, name) =>
      existing(await client.deleteFile(name, { signal }), `file "${name}"`, 'files'),
    ),
  ],
};
