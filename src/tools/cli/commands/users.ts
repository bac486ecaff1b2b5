import type { User, UserDetails } from '../../../core/wire/users.ts';
import type { UpdateUserOptions } from '../../../index.ts';
import { CommandFailure, usageFailure } from '../../output/command-failure.ts';
import type { Row } from '../../output/row-format.ts';
import type { Service } from '../../settings/service.ts';
import { withExamples } from '../examples.ts';
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

/** `logclient users`: users of the service. */
export const usersCommand: ResourceCommand = {
  name: 'users',
  description: 'Manage users.',
  needs: {
    repository: false,
  },
  define(users) {
    addList(users);
    addShow(users);
    addMe(users);
    addCreate(users);
    addUpdate(users);
    addDelete(users);
  },
};

function addList(users: Resource): void {
  withExamples(
    users.command('list', 'List all users.', async ({ service, flags, write }) => {
      const all = await service.client.getUsers({ signal: service.signal });
      await write(all.map(rowOf), COLUMNS, flags);
    }),
    ['logclient users list', 'list all users'],
  );
}

function addShow(users: Resource): void {
  withExamples(
    users.command('show <email>', 'Show a user.', async ({ service, flags, write }, email) => {
      const { userID } = await knownUser(service, email);
      const user = await service.client.getUser(userID, { signal: service.signal });
      if (user === undefined) throw noUser(email);
      await write([detailRowOf(user)], DETAIL_COLUMNS, flags);
    }),
    ['logclient users show ann@example.com', 'show one user'],
  );
}

function addMe(users: Resource): void {
  withExamples(
    users.command('me', "Show the token's owner.", async ({ service, flags, write }) => {
      const user = await service.client.getCurrentUser({ signal: service.signal });
      await write([detailRowOf(user)], DETAIL_COLUMNS, flags);
    }),
    ['logclient users me', "show the token's owner"],
  );
}

function addCreate(users: Resource): void {
  withExamples(
    users
      .command<UserFlags>(
        'create <email>',
        'Create a user. If the user already exists, nothing changes.',
        async ({ service, flags, write }, email) => {
          const user = await service.client.createUser(email, {
            isRoot: flags.root === true,
            signal: service.signal,
          });
          await write([rowOf(user)], COLUMNS, flags);
        },
      )
      .option('--root', 'Grant permission to administer the service.'),
    ['logclient users create bob@example.com', 'create a user'],
  );
}

function addDelete(users: Resource): void {
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
    ['logclient users delete eve@example.com --yes', 'delete without a confirmation prompt'],
  );
}

function addUpdate(users: Resource): void {
  withExamples(
    users
      .command<UpdateFlags>(
        'update <email>',
        "Update a user. Fields that you don't set stay the same.",
        async ({ service, flags, write }, email) => {
          const changes = changesOf(flags);
          const { userID } = await knownUser(service, email);
          const user = await service.client.updateUser(userID, { ...changes, signal: service.signal });
          await write([detailRowOf(user)], DETAIL_COLUMNS, flags);
        },
      )
      .option('--email <email>', 'New email address.')
      .option('--username <name>', 'New login name.')
      .option('--full-name <name>', 'New full name.')
      .option('--first-name <name>', 'New first name.')
      .option('--last-name <name>', 'New last name.')
      .option('--company <name>', 'New company.')
      .option('--root', 'Grant permission to administer the service.')
      .option('--no-root', 'Revoke permission to administer the service.'),
    ["logclient users update ann@example.com --full-name 'Ann Lee'", 'change the full name'],
    ['logclient users update ann@example.com --no-root', 'revoke permission to administer the service'],
  );
}

/** @throws CommandFailure if there is nothing to change. */
function changesOf(flags: UpdateFlags): UpdateUserOptions {
  const { email, username, fullName, firstName, lastName, company, root: isRoot } = flags;
  const changes = { email, username, fullName, firstName, lastName, company, isRoot };
  if (Object.values(changes).some((value) => value !== undefined)) return changes;
  throw usageFailure(
    'nothing to change. Pass --full-name, --company, --root or another flag shown by --help.',
  );
}

/** Finds a user by email address. */
async function knownUser({ client, signal }: Service, email: string): Promise<User> {
  const user = await client.getUserByEmail(email, { signal });
  if (user === undefined) throw noUser(email);
  return user;
}

function noUser(email: string): CommandFailure {
  return new CommandFailure(`there is no user ${email}. "logclient users list" shows all users.`);
}

function detailRowOf(user: UserDetails): Row {
  const { email, id, username, fullName, company, isRoot, createdAt } = user;
  return {
    email,
    userID: id,
    username,
    fullName,
    company,
    isRoot,
    createdAt,
  };
}

function rowOf({ email, userID, isRoot }: User): Row {
  return { email, userID, isRoot: isRoot ?? false };
}
