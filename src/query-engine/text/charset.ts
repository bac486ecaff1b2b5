import { oneOf } from '../signature/argument-types.ts';

const DECODERS = {
  'UTF-8': strictDecoder('utf-8'),
  'UTF-16LE': strictDecoder('utf-16le'),
  'UTF-16BE': strictDecoder('utf-16be'),
  // The name stands for Windows-1252 in the standard of the web.
  'ISO-8859-1': (bytes: Buffer): string => bytes.toString('latin1'),
} as const;

export type Charset = keyof typeof DECODERS;

export const charset = oneOf('UTF-8', 'UTF-16LE', 'UTF-16BE', 'ISO-8859-1');

/** `undefined` for bytes that are no text in this character set. */
export function decodeBytes(bytes: Buffer, name: Charset): string | undefined {
  return DECODERS[name](bytes);
}

function strictDecoder(label: string): (bytes: Buffer) => string | undefined {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  return (bytes) => {
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined;
    }
  };
}
