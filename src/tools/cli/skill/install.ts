import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure, usageFailure } from '../../output/command-failure.ts';
import { writeOutputFile } from '../../output/output-file.ts';
import { SKILL } from '../../output/skill-folder.ts';
import { writeOutput } from '../../output/standard-output.ts';

/** What an earlier installation wrote: the hash of each file. */
const MANIFEST = '.installed.json';

export interface InstallFlags {
  readonly dir: string;
  readonly force?: boolean;
}

/** Copies the skill to a folder. @throws CommandFailure if a file there was changed, and `force` is not set. */
export async function installSkill({ dir, force = false }: InstallFlags): Promise<void> {
  if (dir === '') throw usageFailure('--dir needs the name of a folder.');
  const target = join(dir, 'logclient');
  const files = await filesOf(SKILL);
  const known = await readManifest(target);
  const changed: string[] = [];
  for (const [name, text] of files) {
    const current = await readFile(join(target, name), 'utf8').catch(() => undefined);
    if (current !== undefined && current !== text && hashOf(current) !== known[name]) changed.push(name);
  }
  if (changed.length > 0 && !force) {
    throw new CommandFailure(
      `${target} has changed files: ${changed.join(', ')}. Nothing was written. Pass --force to replace them.`,
    );
  }
  const hashes = Object.fromEntries([...files].map(([name, text]) => [name, hashOf(text)]));
  for (const [name, text] of [...files, [MANIFEST, `${JSON.stringify(hashes, null, 2)}\n`] as const]) {
    await writeOutputFile(join(target, name), text);
  }
  await writeOutput(`${target} has the skill: ${[...files.keys()].join(', ')}.\n`);
}

/** The names, with slashes, and the contents of all files below a folder. */
async function filesOf(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const names = paths.map((path) => path.slice(folder.length + 1).replaceAll('\\', '/')).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

async function readManifest(target: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(join(target, MANIFEST), 'utf8')) ?? {};
  } catch {
    return {};
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
