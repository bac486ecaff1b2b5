import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, inject, it } from 'vitest';
import './packed-package.ts';

export const ROOT = resolve(import.meta.dirname, '../..');

const run = promisify(execFile);

const INSTALL = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];

export interface Outcome {
  /** Undefined for a program that was killed. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** A new user's folder, with the packed tarball and some other packages installed. */
export class FreshProject {
  readonly path: string;
  /** The packed tarball. */
  readonly tarball: string;

  private constructor(path: string, tarball: string) {
    this.path = path;
    this.tarball = tarball;
  }

  /** @param packages with versions, or only names for the versions of our development. */
  static async create(packages: readonly string[] = []): Promise<FreshProject> {
    const project = await FreshProject.createEmpty();
    await project.install(project.tarball, ...packages);
    return project;
  }

  /** A folder with the tarball, before anything is installed. */
  static async createEmpty(): Promise<FreshProject> {
    const path = await mkdtemp(join(tmpdir(), 'logclient-consumer-'));
    await writeFile(join(path, 'package.json'), '{ "name": "consumer", "private": true }');
    const tarball = join(path, basename(inject('tarball')));
    await copyFile(inject('tarball'), tarball);
    return new FreshProject(path, tarball);
  }

  /** @param packages arguments of `npm install`; our `devDependencies` get our version. */
  async install(...packages: string[]): Promise<void> {
    const versions = await Promise.all(packages.map(withVersion));
    await run('npm', [...INSTALL, ...versions], { cwd: this.path });
  }

  /**
   * Installs a package whose install script downloads a program, such as `node@22.23.3`.
   *
   * @returns its own folder
   */
  async installProgram(name: string): Promise<string> {
    const folder = join(this.path, 'programs', name.replace('@', '-'));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    await run('npm', ['install', '--no-audit', '--no-fund', '--foreground-scripts', name], { cwd: folder });
    return folder;
  }

  async write(file: string, text: string): Promise<string> {
    const path = join(this.path, file);
    await writeFile(path, text);
    return path;
  }

  /** Runs a program in the folder, without the environment of the tests. */
  run(command: string, ...args: string[]): Promise<Outcome> {
    return this.#run(90_000, command, args);
  }

  /** {@link run} for a build by a large tool, which takes minutes on a busy machine. */
  build(command: string, ...args: string[]): Promise<Outcome> {
    return this.#run(300_000, command, args);
  }

  async #run(timeout: number, command: string, args: string[]): Promise<Outcome> {
    const env = {
      ...process.env,
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
      VITEST: undefined,
      NODE_OPTIONS: '',
    };
    const options = { cwd: this.path, env, timeout };
    return run(command, args, options).then(
      (output) => ({ code: 0, ...output }),
      ({ code, stdout, stderr }: Outcome) => ({ code: code ?? undefined, stdout, stderr }),
    );
  }

  /** {@link run} with Node. */
  node(...args: string[]): Promise<Outcome> {
    return this.run(process.execPath, ...args);
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }
}

/**
 * Like `describe`, for a tool that CI may be unable to install: if `npm install` fails, there is one skipped test instead,
 * whose title says so. The tests of an installed tool never skip.
 *
 * @param install installs the tool; rejects with the error of npm.
 */
export async function describeInstalled<Installed>(
  tool: string,
  install: () => Promise<Installed>,
  tests: (installed: Installed) => void,
): Promise<void> {
  const outcome = await install().then(
    (installed) => ({ installed }),
    ({ stderr }: { stderr?: string }) => ({
      error: /^npm error (.+)/m.exec(stderr ?? '')?.[1] ?? 'see npm install',
    }),
  );
  if ('installed' in outcome) describe(tool, () => tests(outcome.installed));
  else it.skip(`${tool} could not be installed: ${outcome.error}`, () => {});
}

async function withVersion(name: string): Promise<string> {
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  return name in devDependencies ? `${name}@${devDependencies[name]}` : name;
}
