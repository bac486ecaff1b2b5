import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';
import { BodyTooLargeError, type Decompression } from '../environment.ts';

const gunzipAsync = promisify(gunzip);

/** Reads gzip with zlib, which takes two thirds of the time of `DecompressionStream`. */
export const zlibDecompression: Decompression = {
  async gunzip(compressed, maxBytes) {
    try {
      // zlib stops at this length, which protects against zip bombs.
      return await gunzipAsync(compressed, { maxOutputLength: maxBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new BodyTooLargeError();
      throw error;
    }
  },
  gunzipChunks: (chunks) => pipeline(Readable.from(chunks), createGunzip(), () => {}),
};
