// The parts of the comparison that tests use.
export { loggers, ownLoggers } from './loggers/index.mjs';
export { brokenPromises } from './promises.mjs';
export { fits, scenarioNamed, scenarios } from './scenarios.mjs';
export { play } from './stage.mjs';
