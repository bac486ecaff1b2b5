import { defineDigest } from '../text/digest-function.ts';

export const cryptoMd5 = defineDigest('md5');
