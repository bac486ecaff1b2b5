import { defineTextTest } from '../text/text-test.ts';

/** Keeps events for which one text ends in another. */
export const textEndsWith = defineTextTest('text:endsWith', (text, part) => text.endsWith(part));
