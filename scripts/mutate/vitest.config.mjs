import config from '../../vitest.config.ts';

/** Runs the tests of `npm test` and of reliability, with what `scripts/mutate.mjs` needs. */
const { test } = config;
const names = ['shared', 'isolated', 'pages', 'reliability'];
// Many mutations make a program wait for ever.
const trying = {
  maxWorkers: 1,
  testTimeout: 15_000,
  hookTimeout: 15_000,
  provide: { programDeadlineMs: 12_000 },
  expect: { poll: { timeout: 10_000, interval: 10 } },
};
const isPatient = ({ name }) => name === 'pages' || name === 'reliability';

function adapted(project) {
  if (process.env.MUTATION_RECORDS !== undefined) return project;
  return isPatient(project) ? { ...project, maxWorkers: 1 } : { ...project, ...trying };
}

export default {
  test: {
    ...test,
    // The same files run again and again.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'transformed' },
    setupFiles: [...test.setupFiles, 'scripts/mutate/setup.mjs'],
    projects: test.projects
      .filter((project) => names.includes(project.test.name))
      .map((project) => ({ ...project, test: adapted(project.test) })),
  },
};
