import { concatBytes } from '../../core/bytes.ts';

type Encoding = 'utf8' | 'utf-8' | 'base64' | 'base64url' | 'hex' | 'latin1';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** What the engine and the server use of Node's `Buffer`. The build gives it that name in browsers. */
export class BrowserBuffer extends Uint8Array {
  static byteLength(text: string): number {
    return encoder.encode(text).length;
  }

  static concat(chunks: readonly Uint8Array[]): BrowserBuffer {
    return new BrowserBuffer(concatBytes(chunks).buffer);
  }

  static compare(left: Uint8Array, right: Uint8Array): number {
    const at = left.findIndex((byte, index) => byte !== right[index]);
    return at < 0 ? left.length - right.length : left[at]! - (right[at] ?? -1);
  }

  override toString(encoding: Encoding = 'utf8', start = 0, end = this.length): string {
    const bytes = this.subarray(start, end);
    if (encoding === 'hex') return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    if (encoding === 'utf8' || encoding === 'utf-8') return decoder.decode(bytes);
    let characters = '';
    for (const byte of bytes) characters += String.fromCharCode(byte);
    if (encoding === 'base64url')
      return btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    return encoding === 'base64' ? btoa(characters) : characters;
  }
}

function bytesOf(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'base64') return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  if (encoding === 'hex')
    return Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
  if (encoding === 'latin1') return Uint8Array.from(text, (character) => character.charCodeAt(0));
  return encoder.encode(text);
}

/** `Buffer.from`, which `Uint8Array` has with other arguments. */
function from(
  data: string | ArrayBuffer | Uint8Array,
  encoding: Encoding | number = 'utf8',
  length?: number,
): Uint8Array {
  if (typeof data === 'string') return new BrowserBuffer(bytesOf(data, encoding as Encoding));
  return data instanceof ArrayBuffer
    ? new BrowserBuffer(data, Number(encoding), length)
    : new BrowserBuffer(data);
}

Object.assign(BrowserBuffer, { from });
