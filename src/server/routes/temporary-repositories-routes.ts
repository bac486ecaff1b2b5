import type { Context, Hono } from 'hono';
import { compressionOf, isBinary, textChunks } from '../../core/binary.ts';
import { wholeRecords } from '../../core/records/log-records.ts';
import { type Decompression, environmentOf } from '../environment.ts';
import { onlyUsers } from '../http/authentication.ts';
import { HttpError, malformed, notFound } from '../http/http-error.ts';
import { bodyChunks } from '../http/request-body.ts';
import { StoredLines } from '../line-query/stored-lines.ts';
import { resumed } from '../queries/row-writer.ts';
import type { Repository } from '../repository.ts';
import type { ServerContext } from '../server-context.ts';
import { REPOSITORY_PATH, readJsonObject } from './request.ts';

const PATH = '/api/v1/temporary-repositories';

/** Files that people open on the web page: each is sent to a repository of its own. */
export function temporaryRepositoriesRoutes(app: Hono, context: ServerContext): void {
  const { options, temporaryRepositories: files } = context;
  const users = onlyUsers(context);
  app.use(`${REPOSITORY_PATH}/*`, (c, next) => {
    // A page that is closed deletes its query jobs.
    if (c.req.method !== 'DELETE') files.use(c.req.param('repository'));
    return next();
  });
  app.post(PATH, users, async (c) => {
    const { fileName } = await readJsonObject(c, options.maxRequestBytes);
    if (typeof fileName !== 'string') throw malformed('Expected "fileName", a string.');
    return c.json({ name: files.create(fileName).name });
  });
  app.post(`${PATH}/:name/lines`, users, async (c) => {
    const repository = files.get(c.req.param('name'));
    if (repository === undefined) throw notFound('There is no temporary repository with this name.');
    try {
      return await storeLines(c, context, repository);
    } catch (error) {
      files.delete(repository.name);
      if (error instanceof HttpError) throw error;
      throw new HttpError(400, `The file can't be read: ${(error as Error).message}`);
    }
  });
  app.delete(`${PATH}/:name`, users, (c) => {
    files.leave(c.req.param('name'));
    return c.body(null, 204);
  });
}

/** Stores the lines of a file. @returns how many there are, how many have no time, and how many didn't fit in memory */
async function storeLines(c: Context, context: ServerContext, repository: Repository): Promise<Response> {
  const { temporaryRepositories } = context;
  const [file, modified] = [c.req.query('file'), c.req.query('modified')];
  const lines = new StoredLines(context, repository, {
    ...(file !== undefined && { tags: { file } }),
    ...(modified !== undefined && { modified: Number(modified) }),
  });
  const chunks = gunzipped(bodyChunks(c), environmentOf(c).decompression);
  for await (const bytes of wholeRecords(textChunks(chunks, refuseBinary))) {
    temporaryRepositories.use(repository.name);
    lines.add(bytes);
  }
  const { store } = repository;
  if (store.count === 0) throw new HttpError(400, 'The file has no lines.');
  return c.json({ lines: lines.lines, withoutTime: lines.withoutTime, evicted: store.evicted });
}

/** @throws HttpError 400 for other files than text */
function refuseBinary(start: Uint8Array): void {
  if (!isBinary(start)) return;
  const message = 'This is not a text file in UTF-8. Log files, also if compressed with gzip, can be opened.';
  throw new HttpError(400, message);
}

/** The bytes of a file, decompressed if it was compressed with gzip. */
async function* gunzipped(
  chunks: AsyncIterable<Uint8Array>,
  { gunzipChunks }: Decompression,
): AsyncGenerator<Uint8Array> {
  const rest = chunks[Symbol.asyncIterator]();
  const { value: first, done } = await rest.next();
  if (done === true) return;
  const whole = resumed(first, { [Symbol.asyncIterator]: () => rest });
  if (compressionOf(first) === 'gzip') yield* gunzipChunks(whole);
  else yield* whole;
}
