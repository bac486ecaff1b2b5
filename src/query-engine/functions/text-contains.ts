import { defineTextTest } from '../text/text-test.ts';

/** Keeps events for which one text contains another. */
export const textContains = defineTextTest('text:contains', (text, part) => text.includes(part));
