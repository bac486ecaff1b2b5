import { defineDigest } from '../digest-function.ts';

export const cryptoSha1 = defineDigest('sha1');
