import { defineDigest } from '../text/digest-function.ts';

export const cryptoSha1 = defineDigest('sha1');
