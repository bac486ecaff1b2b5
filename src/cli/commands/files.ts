import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandFailure, usageFailure } from '../command-failure.ts';
import { withExamples } from '../examples.ts';
import { wholeNumber } from '../flag-values.ts';
import { readInputFile } from '../input-file.ts';
import { writeOutput } from '../output/standard-output.ts';
import type { ResourceCommand, ResourceFlags } from './resource.ts';

interface UploadFlags extends ResourceFlags {
  readonly name?: string;
}

interface DownloadFlags extends ResourceFlags {
  readonly out?: string;
}

interface ShowFlags extends ResourceFlags {
  readonly offset?: number;
  readonly limit?: number;
  readonly filter?: string;
}

/** `logclient files`: the lookup files of a repository. */
export const filesCommand: ResourceCommand = {
  name: 'files',
  description: 'List, upload, download and delete lookup files.',
  define(files) {
    withExamples(
      files.command('list', 'The lookup files of the repository.', async ({ service, flags, write }) => {
        const all = await service.client.listFiles({ signal: service.signal });
        const rows = all.map(({ nameAndPath, fileSizeBytes, modifiedAt }) => ({
          name: nameAndPath.path ?? nameAndPath.name,
          bytes: fileSizeBytes,
          modified: modifiedAt,
        }));
        await write(rows, ['name', 'bytes', 'modified'], flags);
      }),
      ['logclient files list', 'what is there?'],
    );
    withExamples(
      files
        .command<ShowFlags>('show <name>', 'Rows of a CSV file.', async ({ service, flags, write }, name) => {
          const { offset, limit, filter: filterString } = flags;
          const content = await service.client.getFileContent(name, {
            offset,
            limit,
            filterString,
            signal: service.signal,
          });
          const rows = content.lines.map((line) =>
            Object.fromEntries(content.headers.map((header, index) => [header, line[index]])),
          );
          await write(rows, content.headers, flags);
        })
        .option('--offset <number>', 'Leave out so many rows. Default: 0.', wholeNumber(0))
        .option('--limit <number>', 'No more rows than this. Default: 200.', wholeNumber(1))
        .option('--filter <text>', 'Only rows with this text in them.'),
      ['logclient files show hosts.csv', 'its first rows, as a table'],
    );
    withExamples(
      files
        .command<UploadFlags>(
          'upload <path>',
          'Upload a file, in place of one of the same name.',
          async ({ service, flags, note }, path) => {
            if (path === '-' && flags.name === undefined) {
              throw usageFailure(
                'what comes from stdin has no name. Pass --name <name>, such as --name hosts.csv.',
              );
            }
            const name = flags.name ?? basename(path);
            const content = await readInputFile('the file', path);
            await service.client.uploadFile({ name, content }, { signal: service.signal });
            note(`uploaded ${name} to ${service.client.repository}.`);
          },
        )
        .option('--name <name>', 'The name it gets. Default: that of the file; needed for "-", stdin.'),
      ['logclient files upload hosts.csv', 'put it on the service'],
      ['cat hosts.csv | logclient files upload - --name hosts.csv', 'the same from a pipe'],
    );
    withExamples(
      files
        .command<DownloadFlags>(
          'download <name>',
          'The whole file, as it is, to stdout.',
          async ({ service, flags, note }, name) => {
            const bytes = await service.client.getFile(name, { signal: service.signal });
            if (flags.out === undefined) await writeOutput(bytes);
            else {
              await writeTo(flags.out, bytes);
              note(`wrote ${bytes.length} bytes to ${flags.out}.`);
            }
          },
        )
        .option('-O, --out <path>', 'Write it to this file.'),
      ['logclient files download hosts.csv > copy.csv', 'get it back'],
    );
    withExamples(
      files.deletion(
        'delete <name>',
        'Delete a file.',
        (name, { client }) => `the file "${name}" of the repository "${client.repository}"`,
        async ({ service, note }, name) => {
          await service.client.deleteFile(name, { signal: service.signal });
          note(`deleted ${name}.`);
        },
      ),
      ['logclient files delete hosts.csv --yes', 'delete without being asked'],
    );
  },
};

async function writeTo(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes);
  } catch (error) {
    throw new CommandFailure(
      `${path} can't be written (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}).`,
    );
  }
}
