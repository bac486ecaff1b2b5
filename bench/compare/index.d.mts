/** The parts of the comparison that tests use. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly heavy?: boolean;
}

export interface Logger {
  readonly kind: 'pino' | 'winston';
  readonly isOwn: boolean;
}

export interface Run {
  readonly logger: string;
  readonly logged: number;
  readonly delivered: number;
  readonly stderr: string;
}

export const loggers: Readonly<Record<string, Logger>>;
export const ownLoggers: readonly string[];
export const scenarios: readonly Scenario[];
/** @throws Error for an unknown name */
export function scenarioNamed(name: string): Scenario;
export function fits(scenario: Scenario, logger: Logger): boolean;
export function play(scenario: Scenario, loggerName: string, options?: { short?: boolean }): Promise<Run>;
/** The promises of the scenario that the run broke. */
export function brokenPromises(scenario: Scenario, run: Run): readonly string[];
