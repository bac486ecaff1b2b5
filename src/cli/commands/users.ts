import type { UpdateUserOptions } from '../../index.ts';
import type { User, UserDetails } from '../../wire/users.ts';
import { CommandFailure, usageFailure } from '../command-failure.ts';
import { withExamples } from '../examples.ts';
import type { Row } from '../output/row-format.ts';
import type { Service } from '../service.ts';
import type { Resource, ResourceCommand, ResourceFlags } from './resource.ts';

const COLUMNS = ['email', 'userID', 'isRoot'];
const DETAIL_COLUMNS = ['email', 'userID', 'username', 'fullName', 'company', 'isRoot', 'createdAt'];

interface UserFlags extends ResourceFlags {
  readonly root?: boolean;
}

interface UpdateFlags extends UserFlags {
  readonly email?: string;
  readonly username?: string;
  readonly fullName?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly company?: string;
}

/** `logclient users`: who may use the service. */
export const usersCommand: ResourceCommand = {
  name: 'users',
  description: 'List, create, change and delete users.',
  needs: {
    repository: false,
  },
  define(users) {
    withExamples(
      users.command('list', 'All users.', async ({ service, flags, write }) => {
        const all = await service.client.getUsers({ signal: service.signal });
        await write(all.map(rowOf), COLUMNS, flags);
      }),
      ['logclient users list', 'who is there?'],
    );
    withExamples(
      users.command('show <email>', 'All about one user.', async ({ service, flags, write }, email) => {
        const { userID } = await knownUser(service, email);
        const user = await service.client.getUser(userID, { signal: service.signal });
        if (user === undefined) throw noUser(email);
        await write([detailRowOf(user)], DETAIL_COLUMNS, flags);
      }),
      ['logclient users show ann@example.com', 'one of them'],
    );
    withExamples(
      users.command('me', 'The user whom the token belongs to.', async ({ service, flags, write }) => {
        const user = await service.client.getCurrentUser({ signal: service.signal });
        await write([detailRowOf(user)], DETAIL_COLUMNS, flags);
      }),
      ['logclient users me', 'who am I here?'],
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
    addUpdate(users);
    withExamples(
      users.deletion(
        'delete <email>',
        'Delete a user.',
        (email) => `the user ${email}`,
        async ({ service, note }, email) => {
          const user = await service.client.deleteUserByEmail(email, { signal: service.signal });
          if (user === undefined) throw noUser(email);
          note(`deleted the user ${email}.`);
        },
      ),
      ['logclient users delete eve@example.com --yes', 'delete without being asked'],
    );
  },
};

function addUpdate(users: Resource): void {
  withExamples(
    users
      .command<UpdateFlags>(
        'update <email>',
        'Change a user; what no flag names stays.',
        async ({ service, flags, write }, email) => {
          const changes = changesOf(flags);
          const { userID } = await knownUser(service, email);
          const user = await service.client.updateUser(userID, { ...changes, signal: service.signal });
          await write([detailRowOf(user)], DETAIL_COLUMNS, flags);
        },
      )
      .option('--email <email>', 'The new address for mail.')
      .option('--username <name>', 'The new name to log in with.')
      .option('--full-name <name>', 'The whole name.')
      .option('--first-name <name>', 'The given name.')
      .option('--last-name <name>', 'The family name.')
      .option('--company <name>', 'The company.')
      .option('--root', 'The user may administer the whole service.')
      .option('--no-root', 'The user may not.'),
    ["logclient users update ann@example.com --full-name 'Ann Lee'", 'another name'],
    ['logclient users update ann@example.com --no-root', 'take the right to administer away'],
  );
}

/** @throws CommandFailure if there is nothing to change. */
function changesOf(flags: UpdateFlags): UpdateUserOptions {
  const { email, username, fullName, firstName, lastName, company, root: isRoot } = flags;
  const changes = { email, username, fullName, firstName, lastName, company, isRoot };
  if (Object.values(changes).some((value) => value !== undefined)) return changes;
  throw usageFailure(
    'there is nothing to change. Pass --full-name, --company, --root or another flag of --help.',
  );
}

/** People know addresses, the service wants ids. */
async function knownUser({ client, signal }: Service, email: string): Promise<User> {
  const user = await client.getUserByEmail(email, { signal });
  if (user === undefined) throw noUser(email);
  return user;
}

function noUser(email: string): CommandFailure {
  return new CommandFailure(`there is no user ${email}. "logclient users list" shows those there are.`);
}

function detailRowOf(user: UserDetails): Row {
  const { email, id, username, fullName, company, isRoot, createdAt } = user;
  return {
    email: email ?? '',
    userID: id,
    username,
    fullName: fullName ?? '',
    company: company ?? '',
    isRoot: String(isRoot),
    createdAt,
  };
}

function rowOf({ email, userID, isRoot }: User): Row {
  return { email, userID, isRoot: String(isRoot ?? false) };
}
