import type { Command } from 'commander';
import { addOutputFlags, type OutputFlags, type OutputKind } from '../../output/output-flags.ts';
import type { Row } from '../../output/row-format.ts';
import { writeNote } from '../../output/standard-output.ts';
import { addConnectionFlags, type ConnectionFlags } from '../../settings/connection-flags.ts';
import type { Needs, Service } from '../../settings/service.ts';
import { confirmDeletion } from '../confirmation.ts';

/** The flags of every maintenance command. */
export interface ResourceFlags extends ConnectionFlags, OutputFlags {
  readonly yes?: boolean;
}

/** The arguments of a maintenance action. */
export interface ResourceCall<Flags> {
  readonly service: Service;
  readonly flags: Flags;
  /** Writes rows with these columns to stdout. */
  readonly write: (rows: readonly Row[], columns: readonly string[], flags: OutputFlags) => Promise<void>;
  /** Reports on stderr what was done. */
  readonly note: (message: string) => void;
}

type Action<Flags> = (call: ResourceCall<Flags>, ...words: string[]) => Promise<void>;

/** A command with subcommands that call the service. */
export interface Resource {
  /** @param usage the name and arguments in commander's syntax: `show <email>`. */
  command<Flags extends ResourceFlags = ResourceFlags>(
    usage: string,
    description: string,
    action: Action<Flags>,
  ): Command;
  /** A command that prints no rows. */
  silent<Flags extends ResourceFlags = ResourceFlags>(
    usage: string,
    description: string,
    action: Action<Flags>,
  ): Command;
  /** A command that does not call the service. */
  local(usage: string, description: string): Command;
  /** A command that deletes something and asks first. */
  deletion<Flags extends ResourceFlags = ResourceFlags>(
    usage: string,
    description: string,
    what: (name: string, service: Service) => string,
    action: Action<Flags>,
  ): Command;
}

/** A kind of resource, such as users, and its subcommands. */
export interface ResourceCommand {
  readonly name: string;
  readonly description: string;
  readonly needs?: Needs;
  /** Adds the subcommands. They have hundreds of flags, so this runs only if the command line names the resource. */
  define(resource: Resource): void;
}

/** A resource that adds its subcommands to `parent`. */
export function resourceBelow(parent: Command, needs: Needs = {}): Resource {
  const add =
    (kind: OutputKind) =>
    <Flags extends ResourceFlags>(usage: string, about: string, action: Action<Flags>): Command => {
      const command = parent.command(usage).description(about).allowExcessArguments(false);
      addOutputFlags(command, kind);
      addConnectionFlags(command);
      // Flags that a command adds itself are shown first.
      command.optionsGroup('Options:');
      return command.action(async (...args: unknown[]) => {
        // commander passes the arguments, then the flags, then the command.
        const words = args.slice(0, -2).flat() as string[];
        await runAction(needs, args.at(-2) as Flags, action, words);
      });
    };
  const resource: Resource = {
    command: add('list'),
    silent: add('note'),
    local: (usage, about) => parent.command(usage).description(about).allowExcessArguments(false),
    deletion: (usage, about, what, action) =>
      resource
        .silent<ResourceFlags>(usage, about, async (call, ...words) => {
          await confirmDeletion(what(words[0]!, call.service), call.flags.yes === true, call.service.signal);
          await action(call as never, ...words);
        })
        .option('-y, --yes', 'Skip the confirmation prompt.'),
  };
  return resource;
}

async function runAction<Flags extends ResourceFlags>(
  needs: Needs,
  flags: Flags,
  action: Action<Flags>,
  words: readonly string[],
): Promise<void> {
  const [{ withService }, { writeList }] = await Promise.all([
    import('../../settings/service.ts'),
    import('../../output/row-writer.ts'),
  ]);
  const note = (message: string): void => {
    if (flags.quiet !== true) writeNote(`logclient: ${message}`);
  };
  await withService(flags, needs, (service) => action({ service, flags, write: writeList, note }, ...words));
}
