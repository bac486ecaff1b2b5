import { basename } from 'node:path';
import { existing, usageFailure } from '../../output/command-failure.ts';
import { wholeNumber } from '../../output/flag-values.ts';
import { writeOutput } from '../../output/standard-output.ts';
import { readInputFile } from '../../settings/input-file.ts';
import { withExamples } from '../examples.ts';
import type { Resource, ResourceCommand, ResourceFlags } from './resource.ts';

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

/** `logclient files`: lookup files of a repository. */
export const filesCommand: ResourceCommand = {
  name: 'files',
  description: 'Manage lookup files.',
  define(files) {
    addList(files);
    addShow(files);
    addUpload(files);
    addDownload(files);
    addDelete(files);
  },
};

function addList(files: Resource): void {
  withExamples(
    files.command('list', 'List the lookup files.', async ({ service, flags, write }) => {
      const all = await service.client.listFiles({ signal: service.signal });
      const rows = all.map(({ nameAndPath, fileSizeBytes, modifiedAt }) => ({
        name: nameAndPath.path ?? nameAndPath.name,
        bytes: fileSizeBytes,
        modified: modifiedAt,
      }));
      await write(rows, ['name', 'bytes', 'modified'], flags);
    }),
    ['logclient files list', 'list names, sizes and dates'],
  );
}

function addShow(files: Resource): void {
  withExamples(
    files
      .command<ShowFlags>(
        'show <name>',
        'Show the rows of a CSV file.',
        async ({ service, flags, write }, name) => {
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
        },
      )
      .option('--offset <number>', 'Number of rows to skip. Default: 0.', wholeNumber(0))
      .option('--limit <number>', 'Maximum number of rows. Default: 200.', wholeNumber(1))
      .option('--filter <text>', 'Show only rows that contain this text.'),
    ['logclient files show hosts.csv', 'show the first 200 rows'],
  );
}

function addUpload(files: Resource): void {
  withExamples(
    files
      .silent<UploadFlags>(
        'upload <path>',
        'Upload a file ("-" for stdin). Replaces any file with the same name.',
        async ({ service, flags, note }, path) => {
          if (path === '-' && flags.name === undefined) {
            throw usageFailure('stdin has no file name. Pass --name <name>, such as --name hosts.csv.');
          }
          const name = flags.name ?? basename(path);
          const content = await readInputFile('the file', path);
          await service.client.uploadFile({ name, content }, { signal: service.signal });
          note(`uploaded ${name} to ${service.client.repository}.`);
        },
      )
      .option(
        '--name <name>',
        'Name of the file on the service. Default: the local file name. Required for stdin.',
      ),
    ['logclient files upload hosts.csv', 'upload a file'],
    ['cat hosts.csv | logclient files upload - --name hosts.csv', 'upload from a pipe'],
  );
}

function addDownload(files: Resource): void {
  withExamples(
    files
      .silent<DownloadFlags>(
        'download <name>',
        'Download a file and write it to stdout unchanged.',
        async ({ service, flags, note }, name) => {
          const bytes = await service.client.getFile(name, { signal: service.signal });
          if (flags.out === undefined) await writeOutput(bytes);
          else {
            const { writeOutputFile } = await import('../../output/output-file.ts');
            await writeOutputFile(flags.out, bytes);
            note(`wrote ${bytes.length} bytes to ${flags.out}.`);
          }
        },
      )
      .option('-O, --out <path>', 'Write to this file instead of stdout.'),
    ['logclient files download hosts.csv > copy.csv', 'download a file'],
  );
}

function addDelete(files: Resource): void {
  withExamples(
    files.deletion(
      'delete <name>',
      'Delete a file.',
      (name, { client }) => `the file "${name}" in the repository "${client.repository}"`,
      async ({ service, note }, name) => {
        const deleted = await service.client.deleteFile(name, { signal: service.signal });
        existing(deleted, `file "${name}"`, 'logclient files list');
        note(`deleted ${name}.`);
      },
    ),
    ['logclient files delete hosts.csv --yes', 'delete without a confirmation prompt'],
  );
}
