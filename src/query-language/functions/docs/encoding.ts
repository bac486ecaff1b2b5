import type { FunctionGroup } from './function-doc.ts';

const PERMISSIONS = [{ file: 'app.log', mode: '6' }];

export const encodingDocs: FunctionGroup = {
  title: 'Encoding, hashing and bit fields',
  functions: {
    base64Decode: {
      sentence: 'Decodes a Base64 string.',
      example: 'text := base64Decode(payload)',
      events: [{ payload: 'aGVsbG8gd29ybGQ=' }],
    },
    base64Encode: {
      sentence: 'Encodes a field as Base64.',
      example: 'payload := base64Encode(text)',
      events: [{ text: 'hello world' }],
    },
    urlDecode: {
      sentence: 'Decodes a URL-encoded string.',
      example: 'term := urlDecode(q)',
      events: [{ q: 'red%20shoes%26socks' }],
    },
    urlEncode: {
      sentence: 'URL-encodes a field.',
      example: 'q := urlEncode(term)',
      events: [{ term: 'red shoes & socks' }],
    },
    parseHexString: {
      sentence: 'Decodes a string of hexadecimal digits.',
      example: 'text := parseHexString(payload)',
      events: [{ payload: '0x48656c6c6f' }],
    },
    parseInt: {
      sentence: 'Converts an integer in another base, such as hexadecimal, to decimal.',
      example: 'code := parseInt(errorCode, radix=16)',
      events: [{ errorCode: '0x1F4' }],
    },
    'crypto:md5': {
      sentence: 'Returns the MD5 hash of one or more fields, in hexadecimal.',
      example: 'key := crypto:md5(user)',
      events: [{ user: 'ann' }],
    },
    'crypto:sha1': {
      sentence: 'Returns the SHA-1 hash of one or more fields, in hexadecimal.',
      example: 'key := crypto:sha1(user)',
      events: [{ user: 'ann' }],
    },
    'crypto:sha256': {
      sentence: 'Returns the SHA-256 hash of one or more fields, in hexadecimal.',
      example: 'key := crypto:sha256([tenant, user])',
      events: [{ tenant: 'acme', user: 'ann' }],
    },
    hash: {
      sentence: 'Returns a fast, non-cryptographic hash of one or more fields as an integer.',
      example: 'user=* | shard := hash(user, limit=2) | groupBy([shard, user], function=[])',
    },
    tokenHash: {
      sentence: 'Returns a hash of the words in a field, regardless of their order.',
      example: 'key := tokenHash(msg) | groupBy(key)',
      events: [{ msg: 'disk full on web-1' }, { msg: 'on web-1 disk full' }],
    },
    hashRewrite: {
      sentence: 'Replaces the value of a field with a salted hash, in `@rawstring` too.',
      example: 'hashRewrite(user, salt="pepper", bits=64)',
      events: [{ '@rawstring': 'login of ann', user: 'ann' }],
    },
    hashMatch: {
      sentence: 'Keeps events that contain the salted hash that hashRewrite() writes for a value.',
      example:
        'hashRewrite(user, salt="pepper", bits=64) | hashMatch("ann", salt="pepper", bits=64, field=user)',
      events: [{ user: 'ann' }, { user: 'bob' }],
    },
    'bitfield:extractFlags': {
      sentence: 'Writes individual bits of a number to boolean fields.',
      example: 'bitfield:extractFlags(field=mode, output=[[0, execute], [1, write], [2, read]])',
      events: PERMISSIONS,
    },
    'bitfield:extractFlagsAsArray': {
      sentence: 'Returns an array of the names of the bits that are set in a number.',
      example:
        'bitfield:extractFlagsAsArray(field=mode, flagNames=[[0, execute], [1, write], [2, read]], asArray="can[]")',
      events: PERMISSIONS,
    },
    'bitfield:extractFlagsAsString': {
      sentence: 'Returns a string of the names of the bits that are set in a number.',
      example:
        'bitfield:extractFlagsAsString(field=mode, flagNames=[[0, execute], [1, write], [2, read]], separator="+", as=can)',
      events: PERMISSIONS,
    },
  },
};
