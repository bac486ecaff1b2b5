import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'examples');
const INSTALL = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];

/** A folder below `examples/` that can be copied and started on its own. */
export interface Recipe {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly packages: Readonly<Record<string, string>>;
}

export async function readRecipes(): Promise<Recipe[]> {
  const names = (await readdir(EXAMPLES)).filter((name) => existsSync(join(EXAMPLES, name, 'package.json')));
  return Promise.all(
    names.map(async (name) => {
      const { scripts, dependencies, devDependencies } = JSON.parse(
        await readFile(join(EXAMPLES, name, 'package.json'), 'utf8'),
      );
      return { name, scripts, packages: { ...dependencies, ...devDependencies } };
    }),
  );
}

/** A recipe's program, under way. */
export class RecipeRun {
  readonly child: ChildProcess;
  readonly #exit: Promise<unknown[]>;
  #output = '';

  constructor(child: ChildProcess) {
    this.child = child;
    this.#exit = once(child, 'close');
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text) => (this.#output += text));
    }
  }

  /** What it has written to stdout and stderr. */
  get output(): string {
    return this.#output;
  }

  /** @returns its code and its signal, when it has ended. */
  exit(): Promise<unknown[]> {
    return this.#exit;
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<unknown[]> {
    this.child.kill(signal);
    return this.#exit;
  }
}

/** All recipes in one scratch folder, with the packed tarball of this package and all that they depend on. */
export class RecipeProject {
  readonly #folder: string;
  readonly #recipes: readonly Recipe[];

  private constructor(folder: string, recipes: readonly Recipe[]) {
    this.#folder = folder;
    this.#recipes = recipes;
  }

  static async install(recipes: readonly Recipe[]): Promise<RecipeProject> {
    const folder = await mkdtemp(join(tmpdir(), 'logclient-recipes-'));
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
    const [{ filename }] = JSON.parse((await run('npm', pack, { cwd: ROOT })).stdout);
    const dependencies = Object.assign({}, ...recipes.map(({ packages }) => packages));
    dependencies.logclient = `file:${filename}`;
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
    for (const { name } of recipes) {
      await cp(join(EXAMPLES, name), join(folder, name), {
        recursive: true,
        filter: (path) => !path.endsWith('node_modules'),
      });
    }
    await run('npm', INSTALL, { cwd: folder });
    return new RecipeProject(folder, recipes);
  }

  /** A file in a recipe's folder. */
  path(name: string, file: string): string {
    return join(this.#folder, name, file);
  }

  /** Starts one of a recipe's scripts, in its folder, with `env` and nothing else of the test's environment. */
  start(name: string, script: string, env: Record<string, string>): RecipeRun {
    const line = this.#recipes.find((recipe) => recipe.name === name)?.scripts[script];
    if (line === undefined) throw new Error(`examples/${name}/package.json has no script "${script}".`);
    const [command, ...args] = line.split(' ');
    const file = command === 'node' ? process.execPath : join(this.#folder, 'node_modules/.bin', command!);
    const child = spawn(file, args, {
      cwd: join(this.#folder, name),
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    });
    return new RecipeRun(child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
