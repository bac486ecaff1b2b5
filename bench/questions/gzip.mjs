// What does compression cost and save?
import { compareOptions } from '../option-question.mjs';

export const gzip = {
  name: 'gzip',
  title: 'gzip against no compression',
  run: (settings) =>
    compareOptions(settings, [
      { text: 'none', options: () => ({ compression: 'none' }) },
      { text: 'gzip', options: () => ({ compression: 'gzip' }) },
    ]),
};
