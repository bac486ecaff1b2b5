import type { Context, Hono } from 'hono';
import { onlyUsers } from '../http/authentication.ts';
import { HttpError, malformed, notFound } from '../http/http-error.ts';
import { type MultipartFile, multipartBoundary, multipartFile } from '../http/multipart.ts';
import { readBody } from '../http/request-body.ts';
import type { ServerContext } from '../server-context.ts';
import { REPOSITORY_PATH, searchDomainOf } from './request.ts';

const FILES = `${REPOSITORY_PATH}/files` as const;

export function filesRoutes(app: Hono, context: ServerContext): void {
  fileTransferRoutes(app, context);
  app.get(FILES, onlyUsers(context), (c) => {
    const files = searchDomainOf(context, c).files.list();
    return c.json(
      files.map(({ name, content, contentHash, createdAt, modifiedAt }) => {
        return { name, fileSizeBytes: content.byteLength, contentHash, createdAt, modifiedAt };
      }),
    );
  });
}

export function fileTransferRoutes(app: Hono, context: ServerContext): void {
  const users = onlyUsers(context);
  app.post(FILES, users, async (c) => {
    const { files } = searchDomainOf(context, c);
    const { name, content } = await readUpload(c, context.options.maxRequestBytes);
    return c.text((await files.put(name, content)).id);
  });

  app.get(`${FILES}/:name{.+}`, users, (c) => {
    const file = searchDomainOf(context, c).files.get(c.req.param('name') ?? '');
    if (file === undefined) throw notFound('There is no file with this name.');
    return c.body(new Uint8Array(file.content), 200, {
      'content-type': file.name.toLowerCase().endsWith('.json') ? 'application/json' : 'text/csv',
      // Makes browsers download the file instead of showing it.
      'content-disposition': 'attachment',
    });
  });
}

async function readUpload(c: Context, maxBytes: number): Promise<MultipartFile> {
  const boundary = multipartBoundary(c.req.header('content-type') ?? '');
  if (boundary === undefined) {
    const message =
      "The request's Content-Type is not supported. Expected:\nmultipart/form-data with a part named file";
    throw new HttpError(415, message);
  }
  const file = multipartFile(await readBody(c, maxBytes), boundary, 'file');
  if (file === undefined) throw malformed("There is no complete part named 'file' with a file name.");
  return file;
}
