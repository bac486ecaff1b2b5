import { defineTextTest } from '../text/text-test.ts';

/** Keeps events for which one text begins with another. */
export const textStartsWith = defineTextTest('text:startsWith', (text, part) => text.startsWith(part));
