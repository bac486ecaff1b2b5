import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { TextDecoder } from 'node:util';
import { LogOptionsException } from '../core/errors.ts';
import type { CallOptions } from '../core/http/call-options.ts';
import { type FileUpload, requireUpload } from '../core/http/multipart.ts';
import { path } from '../core/http/path.ts';
import { describe, requireText } from '../core/option-checks.ts';
import type { LookupFile, LookupFileContent } from '../core/wire/files.ts';
import { FILE_CONTENT_FIELDS, FileContentMethods } from './file-contents.ts';
import { type CreateOptions, requireIfExists } from './resource.ts';

/** Name and content of a lookup file to upload. */
export interface UploadContent extends Pick<FileUpload, 'content'> {
  /** File name, which must end in `.csv` or `.json`. */
  name: string;
}

export interface GetFileOptions extends CallOptions {
  /**
   * Encoding used to decode the file into a string: `utf-8`, `latin1` or any other label that `TextDecoder` supports.
   *
   * @default none; the file is returned as bytes
   */
  encoding?: string | undefined;
}

const LIST_FILES = `query ListFiles($repository: String!) {
  searchDomain(name: $repository) {
    files { nameAndPath { name path } contentHash fileSizeBytes createdAt modifiedAt }
  }
}`;

const NEW_FILE = `mutation NewFile($repository: String!, $name: String!) {
  newFile(name: $repository, fileName: $name) { ${FILE_CONTENT_FIELDS} }
}`;

const REMOVE_FILE = `mutation RemoveFile($repository: String!, $name: String!) {
  removeFile(name: $repository, fileName: $name) { result }
}`;

/** Methods of a client for lookup files. */
export abstract class FileMethods extends FileContentMethods {
  /**
   * Returns the lookup files of the repository or view.
   *
   * @example
   * ```ts
   * const names = (await client.listFiles()).map(({ nameAndPath }) => nameAndPath.name);
   * ```
   */
  async listFiles(options: CallOptions = {}): Promise<LookupFile[]> {
    const call = this.call('listFiles', options);
    return call.listOf(await call.requireDomain('searchDomain', LIST_FILES), 'files');
  }

  /**
   * Creates an empty lookup file. With `ifExists: 'keep'` or `'update'`, returns the first rows of an existing CSV file
   * unchanged. To replace its content, use {@link uploadFile}.
   *
   * @throws LogHTTPException with the code `LOG_EXISTS` if the file exists.
   */
  async createFile(name: string, options: CreateOptions = {}): Promise<LookupFileContent> {
    const call = this.call('createFile', options, { ifExists: requireIfExists });
    const variables = call.inRepository({ name });
    return call.createOr<LookupFileContent>({
      create: () => call.part('newFile', NEW_FILE, variables),
      find: async () => {
        const names = await fileNames(this, call.callOptions);
        const isThere = names.some((file) => file.name === name);
        return isThere ? this.getFileContent(name, call.callOptions) : undefined;
      },
    });
  }

  /**
   * Uploads a lookup file from a path or from memory. Replaces a file with the same name.
   *
   * @example
   * ```ts
   * await client.uploadFile('hosts.csv');
   * await client.uploadFile({ name: 'teams.csv', content: 'service,team\ncheckout,blue\n' });
   * ```
   */
  async uploadFile(file: string | UploadContent, options: CallOptions = {}): Promise<void> {
    const call = this.call('uploadFile', options);
    const upload =
      typeof file === 'string'
        ? await fileOnDisk(file)
        : requireUpload('uploadFile', 'the file', file, 'a path or ');
    const endpoint = path`repositories/${this.repository}/files`;
    await call.rest('POST', endpoint, (response) => response.bytes(), { files: [upload] });
  }

  /**
   * Downloads a lookup file: as a string if `encoding` is given, else as bytes. For a file of a package, pass
   * `<package>/<name>`.
   *
   * @example
   * ```ts
   * const text = await client.getFile('hosts.csv', { encoding: 'utf-8' });
   * ```
   */
  getFile(name: string, options: GetFileOptions & { encoding: string }): Promise<string>;
  getFile(name: string, options?: GetFileOptions & { encoding?: undefined }): Promise<Uint8Array>;
  getFile(name: string, options?: GetFileOptions): Promise<string | Uint8Array>;
  async getFile(name: string, options: GetFileOptions = {}): Promise<string | Uint8Array> {
    const call = this.call('getFile', options, { encoding: decoderFor });
    const { encoding: decoder } = call.ownOptions() as { encoding?: InstanceType<typeof TextDecoder> };
    // The name of a file in a package contains slashes: falcon/helper/hosts.csv.
    const segments = requireText('getFile', 'name', name).split('/');
    const files = path`repositories/${this.repository}/files`;
    const endpoint = [files, ...segments.map((segment) => path`${segment}`)].join('/');
    const headers = { accept: '*/*', ...options.headers };
    const bytes = await call.rest('GET', endpoint, (response) => response.bytes(), { headers });
    return decoder === undefined ? bytes : decoder.decode(bytes);
  }

  /**
   * Deletes a lookup file.
   *
   * @returns false if the file does not exist.
   *
   * @example
   * ```ts
   * const wasDeleted = await client.deleteFile('hosts.csv');
   * ```
   */
  async deleteFile(name: string, options: CallOptions = {}): Promise<boolean> {
    const call = this.call('deleteFile', options);
    const run = () => call.part<boolean>('removeFile.result', REMOVE_FILE, call.inRepository({ name }));
    return call.ifListed({ name }, run, (options) => fileNames(this, options), false);
  }
}

async function fileNames(client: FileMethods, options: CallOptions): Promise<{ readonly name: string }[]> {
  return (await client.listFiles(options)).map(({ nameAndPath }) => nameAndPath);
}

async function fileOnDisk(filePath: string): Promise<FileUpload> {
  try {
    return { name: basename(filePath), content: await readFile(filePath) };
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new LogOptionsException(`uploadFile: ${JSON.stringify(filePath)} can't be read (${code}).`, {
      cause,
    });
  }
}

function decoderFor(owner: string, name: string, encoding: unknown): InstanceType<typeof TextDecoder> {
  try {
    // Python's spelling.
    return new TextDecoder(encoding === 'latin-1' ? 'latin1' : (encoding as string));
  } catch (cause) {
    throw new LogOptionsException(
      `${owner}: "${name}" must be a TextDecoder label such as "utf-8" (got ${describe(encoding)}).`,
      { cause },
    );
  }
}
