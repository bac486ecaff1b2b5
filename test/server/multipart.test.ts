import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { multipartBoundary, multipartFile } from '../../src/server/http/multipart.ts';
import { cases } from '../helpers/laws.ts';

async function formBytes(form: FormData): Promise<{ body: Buffer; boundary: string }> {
  const response = new Response(form);
  const boundary = multipartBoundary(response.headers.get('content-type')!)!;
  return { body: Buffer.from(await response.arrayBuffer()), boundary };
}

describe('multipart/form-data', () => {
  it('returns the name and bytes of any file in a FormData body', async () => {
    const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !/[\r\n\\]|%22/.test(text));
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), name, async (content, fileName) => {
        const form = new FormData();
        form.set('before', 'x');
        form.set('file', new Blob([new Uint8Array(content)]), fileName);
        form.set('after', new Blob(['y']), 'other.csv');
        const { body, boundary } = await formBytes(form);
        const file = multipartFile(body, boundary, 'file')!;
        expect(file.name).toBe(fileName);
        expect(new Uint8Array(file.content)).toEqual(content);
      }),
      cases(),
    );
  });

  it('keeps the line separators U+2028 and U+2029 in a file name', async () => {
    const form = new FormData();
    form.set('file', new Blob(['x']), 'a\u2028b\u2029.csv');
    const { body, boundary } = await formBytes(form);
    expect(multipartFile(body, boundary, 'file')?.name).toBe('a\u2028b\u2029.csv');
  });

  it('finds no file in a body that is cut off at any byte', async () => {
    const form = new FormData();
    form.set('file', new Blob(['a,b\n1,2\n']), 'a.csv');
    const { body, boundary } = await formBytes(form);
    const endOfContent = body.lastIndexOf(`\r\n--${boundary}`) + boundary.length + 4;
    for (let length = 0; length < endOfContent; length += 1) {
      expect(multipartFile(body.subarray(0, length), boundary, 'file')).toBeUndefined();
    }
  });

  it('reads the boundary with and without quotes, but only from multipart/form-data', () => {
    expect(multipartBoundary('multipart/form-data; boundary=abc')).toBe('abc');
    expect(multipartBoundary('Multipart/Form-Data; charset=utf-8; boundary="a b"')).toBe('a b');
    expect(multipartBoundary('multipart/mixed; boundary=abc')).toBeUndefined();
    expect(multipartBoundary('multipart/form-data')).toBeUndefined();
  });

  it.each([
    [
      'the preamble',
      'hello\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nx\r\n--b--\r\n',
    ],
    [
      'a body that ends without a last line break',
      '--b\r\nContent-Disposition: form-data; filename=a.csv; name=file\r\n\r\nx\r\n--b--',
    ],
  ])('accepts %s', (_, body) => {
    expect(multipartFile(Buffer.from(body), 'b', 'file')).toEqual({
      name: 'a.csv',
      content: Buffer.from('x'),
    });
  });

  it.each(['', '--b', '--b--', 'x', '--b\r\n\r\n--b--'])('finds no file in %j', (body) => {
    expect(multipartFile(Buffer.from(body), 'b', 'file')).toBeUndefined();
  });
});
