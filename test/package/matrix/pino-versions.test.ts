import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropLine, MISSPELLED, MISSPELLED_ERROR, startFailure } from '../../helpers/start-failure.ts';
import { FreshProject } from '../fresh-project.ts';

/** The first and last releases of earlier majors. */
const VERSIONS = ['8.0.0', '8.21.0', '9.0.0', '9.14.0'];

let project: FreshProject;

beforeAll(async () => {
  project = await FreshProject.create(VERSIONS.map((version) => `pino-${version}@npm:pino@${version}`));
  const fixture = join(import.meta.dirname, '../../fixtures/pino-start-fails.mjs');
  await copyFile(fixture, join(project.path, 'pino-start-fails.mjs'));
}, 180_000);

afterAll(() => project.remove());

describe.each(VERSIONS)('Misconfigured transport of pino %s', (version) => {
  it.each([
    ['one of two targets', 'ends the transport', { code: 0, events: [MISSPELLED_ERROR], others: 5 }],
    ['target', 'ends the transport', { code: 0, events: [MISSPELLED_ERROR], others: 0 }],
    ['target', 'calls process.exit()', { code: 3, events: [], others: 0 }],
  ])(
    '(%s) reports its error and counts dropped records when the program %s',
    async (shape, ending, expected) => {
      const result = await project.run(
        'env',
        `PINO=pino-${version}`,
        `SETTINGS=${JSON.stringify({ shape, ending, options: MISSPELLED, hasListener: true })}`,
        process.execPath,
        'pino-start-fails.mjs',
      );
      const reported = [dropLine(5)];
      expect(startFailure(result)).toEqual({ ...expected, reported });
    },
  );
});
