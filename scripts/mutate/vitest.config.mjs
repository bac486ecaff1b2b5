import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import config from '../../vitest.config.ts';

// Runs the tests of a plan: a project for each task and project of `npm test`, with the mutation in its environment.
const { tasks, environments, workers, patient, folder } = JSON.parse(
  readFileSync(process.env.MUTATION_PLAN, 'utf8'),
);
const { test } = config;
// Many mutations make a program wait for ever.
const IMPATIENT = {
  testTimeout: 15_000,
  hookTimeout: 15_000,
  provide: { programDeadlineMs: 12_000 },
  expect: { poll: { timeout: 10_000, interval: 10 } },
};
const isPatient = ({ name }) => patient || name === 'pages' || name === 'reliability';

const projects = test.projects.flatMap((project) =>
  tasks.flatMap(({ files }, index) => {
    const include = files.filter((file) => file.project === project.test.name).map(({ file }) => file);
    return include.length === 0 ? [] : [adapted(project, include, index)];
  }),
);

function adapted(project, include, index) {
  return {
    ...project,
    test: {
      ...project.test,
      ...(!isPatient(project.test) && IMPATIENT),
      name: `${index} ${project.test.name}`,
      include,
      exclude: [],
      // Code that runs when a module is loaded runs for each file.
      isolate: true,
      maxWorkers: workers,
      sequence: { groupOrder: 1 },
      env: { ...environments[index], MUTATION_MARK: markOf(index) },
    },
  };
}

const indexOf = (project) => Number(project.name.split(' ')[0]);

/** The file that exists once a test of a task has failed. */
function markOf(index) {
  return join(folder, `failed-${index}`);
}

function write(result) {
  appendFileSync(join(folder, 'results'), `${JSON.stringify(result)}\n`);
}

const reporter = {
  onTestCaseResult(testCase) {
    if (testCase.result().state === 'failed') writeFileSync(markOf(indexOf(testCase.project)), '');
  },
  onTestModuleEnd(module) {
    const [failed] = [...module.children.allTests('failed')];
    const errors = [...(failed?.result().errors ?? []), ...module.errors()];
    const state = module.state();
    if (state === 'failed') writeFileSync(markOf(indexOf(module.project)), '');
    write({
      task: indexOf(module.project),
      file: relative(process.cwd(), module.moduleId),
      passed: state === 'passed' || state === 'skipped',
      ms: module.diagnostic().duration,
      test: failed?.fullName ?? 'cannot be loaded',
      reason: errors
        .map(({ message, stack }) => `${message}\n${stack}`)
        .join('\n')
        .slice(0, 2_000),
    });
  },
  onTestRunEnd(_modules, errors) {
    for (const { message, stack, VITEST_TEST_PATH: path } of errors) {
      write({ reason: `${message}\n${stack}`.slice(0, 2_000), path: path && relative(process.cwd(), path) });
    }
  },
};

/** In the order of the plan: first the first file of each task. */
class PlannedOrder extends BaseSequencer {
  async sort(specifications) {
    const rank = ({ project, moduleId }) =>
      tasks[indexOf(project)].files.findIndex(({ file }) => moduleId.endsWith(`/${file}`));
    return [...specifications].sort((a, b) => rank(a) - rank(b));
  }
}

export default {
  test: {
    ...test,
    // The same files run again and again.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'transformed' },
    setupFiles: [...test.setupFiles, 'scripts/mutate/setup.mjs'],
    reporters: [reporter],
    sequence: { sequencer: PlannedOrder },
    projects,
  },
};
