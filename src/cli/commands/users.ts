import type { Command } from 'commander';
import type { User } from '../../wire/users.ts';
import { CommandFailure } from '../command-failure.ts';
import { withExamples } from '../examples.ts';
import type { Row } from '../output/row-format.ts';
import { addResource, type ResourceFlags } from './resource.ts';

const COLUMNS = ['email', 'userID', 'isRoot'];

interface UserFlags extends ResourceFlags {
  readonly root?: boolean;
}

/** `logclient users`: who may use the service. */
export function addUsersCommand(program: Command): void {
  const users = addResource(program, 'users', 'List, create and delete users.', { repository: false });
  withExamples(
    users.command('list', 'All users.', async ({ service, flags, write }) => {
      const all = await service.client.getUsers({ signal: service.signal });
      await write(all.map(rowOf), COLUMNS, flags);
    }),
    ['logclient users list', 'who is there?'],
  );
  withExamples(
    users.command('show <email>', 'One user.', async ({ service, flags, write }, email) => {
      const user = await service.client.getUserByEmail(email, { signal: service.signal });
      if (user === undefined) throw new CommandFailure(`there is no user ${email}.`);
      await write([rowOf(user)], COLUMNS, flags);
    }),
    ['logclient users show ann@example.com', 'one of them'],
  );
  withExamples(
    users
      .command<UserFlags>(
        'create <email>',
        'Create a user; one that exists already stays.',
        async ({ service, flags, write }, email) => {
          const user = await service.client.createUser(email, {
            isRoot: flags.root === true,
            signal: service.signal,
          });
          await write([rowOf(user)], COLUMNS, flags);
        },
      )
      .option('--root', 'The user may administer the whole service.'),
    ['logclient users create bob@example.com', 'a new one'],
  );
  withExamples(
    users.deletion(
      'delete <email>',
      'Delete a user.',
      (email) => `the user ${email}`,
      async ({ service, note }, email) => {
        const user = await service.client.deleteUserByEmail(email, { signal: service.signal });
        if (user === undefined) throw new CommandFailure(`there is no user ${email}.`);
        note(`deleted the user ${email}.`);
      },
    ),
    ['logclient users delete eve@example.com --yes', 'delete without being asked'],
  );
}

function rowOf({ email, userID, isRoot }: User): Row {
  return { email, userID, isRoot: String(isRoot ?? false) };
}
