import { functionGroup } from './function-doc.ts';

export const encodingDocs = functionGroup(
  'Encoding, hashing and bit fields',
  `
base64Decode: Decodes a Base64 string. ⇒ text := base64Decode(payload)
base64Encode: Encodes a field as Base64. ⇒ payload := base64Encode(text)
urlDecode: Decodes a URL-encoded string. ⇒ term := urlDecode(q)
urlEncode: URL-encodes a field. ⇒ q := urlEncode(term)
parseHexString: Decodes a string of hexadecimal digits. ⇒ text := parseHexString(payload)
parseInt: Converts an integer in another base, such as hexadecimal, to decimal. ⇒ code := parseInt(errorCode, radix=16)
crypto:md5: Returns the MD5 hash of one or more fields, in hexadecimal. ⇒ key := crypto:md5(user)
crypto:sha1: Returns the SHA-1 hash of one or more fields, in hexadecimal. ⇒ key := crypto:sha1(user)
crypto:sha256: Returns the SHA-256 hash of one or more fields, in hexadecimal. ⇒ key := crypto:sha256([tenant, user])
hash: Returns a fast, non-cryptographic hash of one or more fields as an integer. ⇒ user=* | shard := hash(user, limit=2) | groupBy([shard, user], function=[])
tokenHash: Returns a hash of the words in a field, regardless of their order. ⇒ key := tokenHash(msg) | groupBy(key)
hashRewrite: Replaces the value of a field with a salted hash, in \`@rawstring\` too. ⇒ hashRewrite(user, salt="pepper", bits=64)
hashMatch: Keeps events that contain the salted hash that hashRewrite() writes for a value. ⇒ hashRewrite(user, salt="pepper", bits=64) | hashMatch("ann", salt="pepper", bits=64, field=user)
bitfield:extractFlags: Writes individual bits of a number to boolean fields. ⇒ bitfield:extractFlags(field=mode, output=[[0, execute], [1, write], [2, read]])
bitfield:extractFlagsAsArray: Returns an array of the names of the bits that are set in a number. ⇒ bitfield:extractFlagsAsArray(field=mode, flagNames=[[0, execute], [1, write], [2, read]], asArray="can[]")
bitfield:extractFlagsAsString: Returns a string of the names of the bits that are set in a number. ⇒ bitfield:extractFlagsAsString(field=mode, flagNames=[[0, execute], [1, write], [2, read]], separator="+", as=can)
`,
);
