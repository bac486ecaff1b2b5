import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { LogOptionsException } from '../errors.ts';
import { describe, requireText } from '../internal/option-checks.ts';
import { type CallOptions, resolveCallOptions } from '../web/call-options.ts';
import type { FileUpload } from '../web/multipart.ts';
import { path } from '../web/path.ts';
import type { RepositoryScope } from '../web/repository-scope.ts';
import type { LookupFile, LookupFileContent } from '../wire/files.ts';
import { found } from './found.ts';
import { graphqlPart, listOf } from './graphql-part.ts';

/** Name and content of a lookup file to upload. */
export interface UploadContent {
  /** File name, which must end in `.csv` or `.json`. */
  name: string;
  /** Content. Strings are sent as UTF-8. */
  content: string | Uint8Array;
}

export interface GetFileOptions extends CallOptions {
  /**
   * Encoding used to decode the file into a string: `utf-8`, `latin1` or any other label that `TextDecoder` supports.
   *
   * @default none; the file is returned as bytes
   */
  encoding?: string | undefined;
}

/** What there is to know of a file's content. */
export const FILE_CONTENT_FIELDS =
  'nameAndPath { name path } headers lines totalLinesCount limit offset filterString';

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

export async function listFiles(
  { webCaller, repository }: RepositoryScope,
  options: CallOptions,
): Promise<LookupFile[]> {
  const { searchDomain } = await webCaller.callGraphql<{ searchDomain: { files: LookupFile[] } | null }>({
    ...resolveCallOptions('listFiles', options),
    query: LIST_FILES,
    variables: { repository },
  });
  return listOf<LookupFile>(webCaller, found(searchDomain, repository), 'files');
}

export async function createFile(
  { webCaller, repository }: RepositoryScope,
  name: string,
  options: CallOptions,
): Promise<LookupFileContent> {
  return graphqlPart<LookupFileContent>(webCaller, 'newFile', {
    ...resolveCallOptions('createFile', options),
    query: NEW_FILE,
    variables: { repository, name: requireText('createFile', 'name', name) },
  });
}

export async function uploadFile(
  { webCaller, repository }: RepositoryScope,
  file: string | UploadContent,
  options: CallOptions,
): Promise<void> {
  const call = resolveCallOptions('uploadFile', options);
  const upload = typeof file === 'string' ? await fileOnDisk(file) : requireContent(file);
  const response = await webCaller.callRest('POST', path`repositories/${repository}/files`, {
    ...call,
    files: [upload],
  });
  await response.bytes();
}

export async function getFile(
  { webCaller, repository }: RepositoryScope,
  name: string,
  options: GetFileOptions,
): Promise<string | Uint8Array> {
  const call = resolveCallOptions('getFile', options, ['encoding']);
  const { encoding } = options;
  const decoder = encoding === undefined ? undefined : decoderFor(encoding);
  const headers = { accept: '*/*', ...call.headers };
  const endpoint = path`repositories/${repository}/files/${name}`;
  const response = await webCaller.callRest('GET', endpoint, { ...call, headers });
  const bytes = await response.bytes();
  return decoder === undefined ? bytes : decoder.decode(bytes);
}

export async function deleteFile(
  { webCaller, repository }: RepositoryScope,
  name: string,
  options: CallOptions,
): Promise<boolean> {
  return graphqlPart<boolean>(webCaller, 'removeFile.result', {
    ...resolveCallOptions('deleteFile', options),
    query: REMOVE_FILE,
    variables: { repository, name: requireText('deleteFile', 'name', name) },
  });
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

function requireContent(file: UploadContent): FileUpload {
  if (typeof file !== 'object' || file === null) {
    throw new LogOptionsException(
      `uploadFile: pass the path of a file or { name, content } (got ${describe(file)}).`,
    );
  }
  const { name, content } = file;
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) {
    throw new LogOptionsException(
      `uploadFile: "content" must be a string or a Uint8Array (got ${describe(content)}).`,
    );
  }
  return { name: requireText('uploadFile', 'name', name), content };
}

function decoderFor(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding);
  } catch (cause) {
    throw new LogOptionsException(
      `getFile: "encoding" must be a TextDecoder label such as "utf-8" (got ${describe(encoding)}).`,
      { cause },
    );
  }
}
