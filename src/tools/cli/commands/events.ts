import { hasStep } from '../../../core/query-text.ts';
import { viewSentence } from '../../../core/view-sentence.ts';
import { usageFailure } from '../../output/command-failure.ts';
import { type TimeFlags, timeFlags } from '../../query/time-flags.ts';
import { confirmDeletion, type Resource, type ResourceFlags, YES } from './resource.ts';

type Flags = ResourceFlags & TimeFlags;

export const EVENTS: Resource<Flags> = {
  name: 'events',
  about: 'Delete events.',
  operations: [
    {
      usage: 'delete <query>',
      about:
        'Delete the events that a filter query finds in a repository. Shows their number and asks for confirmation. Rejects a view: delete the events in each of its repositories.',
      flags: [
        ...timeFlags('Required, unless --from is set.'),
        ['--reason <text>', "Reason to record in the service's audit log."],
        YES,
      ],
      examples: [
        ["logclient events delete 'email=ann@example.com' --from 2026-11-01", 'show what to delete, and ask'],
        ["logclient events delete 'password=*' --since 30d --yes", 'delete without a confirmation prompt'],
      ],
      async run(call, query) {
        const { client, signal, flags } = call;
        if (!hasStep(query)) throw usageFailure('<query> is empty. "*" means all events.');
        const { intervalOf } = await import('../../query/interval.ts');
        const { start, end } = intervalOf(flags);
        if (start === undefined) throw usageFailure('no time range is set. Pass --since or --from.');
        const domain = await client.getSearchDomain(client.repository, { signal });
        if (domain?.kind === 'View') throw usageFailure(`${viewSentence(domain)} Pass --repository.`);
        await using job = await client.createQueryJob(`${query}\n| count()`, { start, end, signal });
        const { events, metadata } = await job.poll({ signal });
        // The service resolves relative times, so the events that were counted are deleted.
        const [from, to] = [new Date(metadata.queryStart), new Date(metadata.queryEnd)];
        const count = events[0]?._count === '1' ? '1 event' : `${events[0]?._count} events`;
        const what = `${count} in "${client.repository}" from ${from.toISOString()} to ${to.toISOString()}`;
        if (count === '0 events') return `deleted nothing: the query finds ${what}.`;
        await confirmDeletion(what, call);
        await client.redactEvents(query, { start: from, end: to, userMessage: flags.reason, signal });
        return `deleted ${what}.`;
      },
    },
  ],
};
