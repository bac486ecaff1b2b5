import { defineDigest } from '../text/digest-function.ts';

export const cryptoSha256 = defineDigest('sha256');
