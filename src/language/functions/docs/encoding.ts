import type { FunctionGroup } from './function-doc.ts';

export const encodingDocs: FunctionGroup = {
  title: 'Encoding, hashing and bit fields',
  functions: {
    base64Decode: {
      sentence: 'Decodes a Base64 string.',
      example: 'text := base64Decode(payload)',
    },
    base64Encode: {
      sentence: 'Encodes a field as Base64.',
      example: 'payload := base64Encode(text)',
    },
    urlDecode: {
      sentence: 'Decodes a URL-encoded string.',
      example: 'term := urlDecode(q)',
    },
    urlEncode: {
      sentence: 'URL-encodes a field.',
      example: 'q := urlEncode(term)',
    },
    parseHexString: {
      sentence: 'Decodes a string of hexadecimal digits.',
      example: 'text := parseHexString(payload)',
    },
    parseInt: {
      sentence: 'Converts an integer in another base, such as hexadecimal, to decimal.',
      example: 'code := parseInt(errorCode, radix=16)',
    },
    'crypto:md5': {
      sentence: 'Returns the MD5 hash of one or more fields, in hexadecimal.',
      example: 'key := crypto:md5(user)',
    },
    'crypto:sha1': {
      sentence: 'Returns the SHA-1 hash of one or more fields, in hexadecimal.',
      example: 'key := crypto:sha1(user)',
    },
    'crypto:sha256': {
      sentence: 'Returns the SHA-256 hash of one or more fields, in hexadecimal.',
      example: 'key := crypto:sha256([tenant, user])',
    },
    hash: {
      sentence: 'Returns a fast, non-cryptographic hash of one or more fields as an integer.',
      example: 'user=* | shard := hash(user, limit=2) | groupBy([shard, user], function=[])',
    },
    tokenHash: {
      sentence: 'Returns a hash of the words in a field, regardless of their order.',
      example: 'key := tokenHash(msg) | groupBy(key)',
    },
    hashRewrite: {
      sentence: 'Replaces the value of a field with a salted hash, in `@rawstring` too.',
      example: 'hashRewrite(user, salt="pepper", bits=64)',
    },
    hashMatch: {
      sentence: 'Keeps events that contain the salted hash that hashRewrite() writes for a value.',
      example:
        'hashRewrite(user, salt="pepper", bits=64) | hashMatch("ann", salt="pepper", bits=64, field=user)',
    },
    'bitfield:extractFlags': {
      sentence: 'Writes individual bits of a number to boolean fields.',
      example: 'bitfield:extractFlags(field=mode, output=[[0, execute], [1, write], [2, read]])',
    },
    'bitfield:extractFlagsAsArray': {
      sentence: 'Returns an array of the names of the bits that are set in a number.',
      example:
        'bitfield:extractFlagsAsArray(field=mode, flagNames=[[0, execute], [1, write], [2, read]], asArray="can[]")',
    },
    'bitfield:extractFlagsAsString': {
      sentence: 'Returns a string of the names of the bits that are set in a number.',
      example:
        'bitfield:extractFlagsAsString(field=mode, flagNames=[[0, execute], [1, write], [2, read]], separator="+", as=can)',
    },
  },
};
