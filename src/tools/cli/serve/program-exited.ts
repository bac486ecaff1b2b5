/** The program of `logclient serve -- <program>` ended with an exit code other than 0. */
export class ProgramExited extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`The program exited with code ${exitCode}.`);
    this.name = 'ProgramExited';
    this.exitCode = exitCode;
  }
}
