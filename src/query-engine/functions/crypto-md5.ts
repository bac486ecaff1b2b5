import { defineDigest } from '../digest-function.ts';

export const cryptoMd5 = defineDigest('md5');
