import { defineDigest } from '../digest-function.ts';

export const cryptoSha256 = defineDigest('sha256');
