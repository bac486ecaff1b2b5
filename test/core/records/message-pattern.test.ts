// cspell:disable: parts of IDs, and names of algorithms.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternOf, readPattern, templateOf } from '../../../src/core/records/message-pattern.ts';
import { cases } from '../../helpers/laws.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const ALL = LOWER + LOWER.toUpperCase() + DIGITS;
const POD = 'bcdfghjklmnpqrstvwxz2456789';

function templateOfMessage(message: string): string {
  const { key, kinds } = patternOf(message);
  return templateOf(readPattern(key, kinds));
}

const of = (characters: string, length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: length, maxLength: length });

/** IDs of programs and services. */
const IDS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  nanoid: of(`${ALL}_-`, 21),
  cuid: of(LOWER + DIGITS, 24).map((rest) => `c${rest}`),
  Stripe: of(ALL, 24).map((rest) => `pi_${rest}`),
  'a pod': fc.tuple(of(POD, 10), of(POD, 5)).map(([set, pod]) => `shop-${set}-${pod}`),
  'an etag in base64': of(`${ALL}+/`, 27).map((rest) => `${rest}=`),
  EC2: of('0123456789abcdef', 16).map((rest) => `i-0${rest}`),
  'a temporary file': of(ALL, 6).map((rest) => `/tmp/upload-${rest}`),
  'a request': of(LOWER + DIGITS, 6).map((rest) => `req-${rest}`),
};

const IDENTIFIERS = [
  ...[
    'Http2Session',
    'ERR_HTTP2_STREAM_ERROR',
    'us-east-1',
    'utf8mb4_unicode_ci',
    'x86_64',
    'sha256',
    'SHA256withRSA',
  ],
  ...[
    'base64url',
    'Int32Array',
    'Uint8ClampedArray',
    'i18nProvider',
    'k8sClient',
    'EC2InstanceId',
    'p256dhKeys',
  ],
  ...[
    'S3BucketName',
    'utf8mb4',
    'secp256k1',
    'prime256v1',
    'node18-alpine3',
    'linux-x64',
    'oauth2',
    'OAuth2Client',
  ],
  ...[
    'ES2022',
    'TLSv1',
    'http2session',
    'ipv4',
    'IPv6Address',
    'log4j2',
    'slf4j',
    'neo4j',
    'h2database',
    'web3',
    'k3s',
  ],
  ...[
    't3.micro',
    'm5.2xlarge',
    'gpt-4o-mini',
    'claude-3',
    'aes-256-gcm',
    'AES256GCM',
    'md5sum',
    'crc32c',
    'int64',
  ],
  ...[
    'float32',
    'Float64Array',
    'vec3',
    'mat4x4',
    'Vector3',
    'Matrix4',
    'WebGL2RenderingContext',
    'mp3',
    'h264',
    'x265',
  ],
  ...[
    'utf16le',
    'latin1',
    'iso8859',
    'ISO_8859_1',
    'win32',
    'Win32Exception',
    'arm64',
    'aarch64',
    'amd64',
    'python3',
  ],
  ...[
    'jdk17',
    'java8',
    'node20',
    'es6',
    'ES6Module',
    'python3.12',
    'i686',
    'v18.20.4',
    'level2cache',
    'Http2ServerRequest',
  ],
  ...[
    'E11000',
    'SQLSTATE[42P01]',
    'ORA-00942',
    'TS2322',
    'CVE-2024-3094',
    'HTTP2',
    'S3',
    'EC2',
    'SHA1',
    'MD5',
    'P99',
    'Q3',
  ],
];

describe('patternOf', () => {
  it.each([
    ['{"event":"ok","n":5}', '{"event":"ok","n":‹n›}'],
    ['{"evt": {"kind": "DB_DOWN"}, "a": null}', '{"evt": {"kind": "DB_DOWN"}, "a": null}'],
    ['{"level":"info","hostname":"web-a","url":"/a/7"}', '{"level":‹text›,"hostname":‹text›,"url":‹text›}'],
    ['{"a":"say \\"hi\\"","b":["x"],"4711":{"ipv4":true}}', '{"a":‹text›,"b":[‹text›],‹text›:{"ipv4":true}}'],
    ['user "bob": denied', 'user ‹text›: denied'],
  ])('keeps names of fields and words in JSON: %s', (message, template) => {
    expect(templateOfMessage(message)).toBe(template);
  });

  it.each(Object.entries(IDS))('has one pattern for IDs with digits: %s', (_, ids) => {
    const found = fc.sample(ids, cases(300)).filter((id) => /\d/.test(id));
    const counts = new Map<string, number>();
    for (const id of found) {
      const { key } = patternOf(`got ${id} done`);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const most = Math.max(...counts.values());
    // Few random texts look like words with a number.
    expect(found.length - most).toBeLessThanOrEqual(found.length / 30);
  });

  it('takes no identifier of a program or a protocol for an ID', () => {
    expect(IDENTIFIERS.filter((word) => templateOfMessage(`got ${word} done`).includes('‹id›'))).toEqual([]);
  });

  it.each([
    ['Nov 28 10:00:00 web sshd: started', 'Dec 1 11:00:00 web sshd: started'],
    ['[10/Oct/2026:13:55] GET', '[09/Nov/2026:13:55] GET'],
    ['took 12345ns', 'took 1234567890ns'],
    ['wait 3m5s', 'wait 13m45s'],
    ['resized to 80x24', 'resized to 1280x720'],
  ])('has one pattern for other times, durations and sizes: %s', (one, other) => {
    expect(templateOfMessage(one)).toBe(templateOfMessage(other));
  });
});
