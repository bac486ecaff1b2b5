import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FreshProject, ROOT } from '../fresh-project.ts';

const EXAMPLES = join(ROOT, 'examples');

/** A folder in `examples/` that can be copied and started on its own. */
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

/** A running recipe. */
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

  /** Its output on stdout and stderr. */
  get output(): string {
    return this.#output;
  }

  /** @returns its exit code and signal. */
  exit(): Promise<unknown[]> {
    return this.#exit;
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<unknown[]> {
    this.child.kill(signal);
    return this.#exit;
  }
}

/** All recipes in one temporary folder, with the packed tarball and all their dependencies. */
export class RecipeProject {
  readonly #project: FreshProject;
  readonly #recipes: readonly Recipe[];

  private constructor(project: FreshProject, recipes: readonly Recipe[]) {
    this.#project = project;
    this.#recipes = recipes;
  }

  /** @param others packages that the tests need in addition. */
  static async install(recipes: readonly Recipe[], others: readonly string[] = []): Promise<RecipeProject> {
    const { logclient: _, ...packages } = Object.assign({}, ...recipes.map(({ packages }) => packages));
    const pinned = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
    const project = await FreshProject.create([...pinned, ...others]);
    for (const { name } of recipes) {
      await cp(join(EXAMPLES, name), join(project.path, name), {
        recursive: true,
        filter: (path) => !path.endsWith('node_modules'),
      });
    }
    await cp(join(EXAMPLES, 'tsconfig.json'), join(project.path, 'tsconfig.json'));
    return new RecipeProject(project, recipes);
  }

  /** @returns the diagnostics of recipes without their own tsconfig.json */
  async typeErrors(): Promise<string> {
    const tsc = join(this.#project.path, 'node_modules/typescript/bin/tsc');
    return (await this.#project.node(tsc, '--project', this.#project.path)).stdout;
  }

  /** A file in a recipe's folder. */
  path(name: string, file: string): string {
    return join(this.#project.path, name, file);
  }

  /** Starts a script of a recipe in its folder, with `env` instead of the test's environment. */
  start(name: string, script: string, env: Record<string, string>): RecipeRun {
    const line = this.#recipes.find((recipe) => recipe.name === name)?.scripts[script];
    if (line === undefined) throw new Error(`examples/${name}/package.json has no script "${script}".`);
    const [command, ...args] = line.split(' ');
    const file =
      command === 'node' ? process.execPath : join(this.#project.path, 'node_modules/.bin', command!);
    const child = spawn(file, args, {
      cwd: join(this.#project.path, name),
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LOGCLIENT_DISCOVERY: 'off', ...env },
    });
    return new RecipeRun(child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#project.remove();
  }
}
