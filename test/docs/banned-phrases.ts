/** A phrase that plain English does not use, and what to write instead. Spaces match line breaks, too. */
export interface BannedPhrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Alternatives of a phrase, as a regular expression without slashes, and what to write instead. */
const PHRASES: Readonly<Record<string, string>> = {
  'nobody|somebody|anybody|whoever|those who': 'name the actor: the caller, the program, the service, users',
  "of one's own|a program of your own": 'your program',
  'words of your own|(?:a text|texts) of yours': 'a custom template',
  'tells? (?:of|about|what|which|how|that)': 'reports, describes, shows',
  told: 'logged, reported, called with',
  'mend(?:s|ed|ing)?': 'fix',
  'under way': 'in flight, running',
  'refused by name|(?:is|are) refused': 'is rejected with an error that names it',
  'so many(?! values)': 'N, or the number of …',
  'for so long|so far back|back so far': 'for N seconds; how far back',
  'no more \\w+ than|has no more|takes? no more|ships? no more': 'at most; no longer accepts',
  'given up': 'dropped',
  '(?:has|have|finds?) room': 'has capacity, fits',
  'breaks? off|broke off|broken off': 'is truncated, the connection dropped',
  'line ends?(?! each)': 'newline',
  'texts|a text(?! (?:file|editor))': 'string',
  'holds? the process': 'keeps the process alive',
  'ends? by the signal': 'exits with the signal',
  'ends? with \\d': 'exits with status …',
  'keeps? the say': 'stays in control',
  'the books': 'accounting; every record is counted',
  'with no service at all': 'without a server',
  'in their order': 'in input order',
  'a gate for': 'CI gate',
  'count before the environment': 'override environment variables',
  'what differs from': 'differences from',
  'without harm': 'that can wait',
  'for one machine': 'runs on a single machine',
  'the house': 'the architecture',
  'stood still|stands still': 'was suspended, stops',
  'an answer|the answer': 'response (HTTP), result (query)',
  'must not but|(?:is|are) to be': 'must, is',
  // A name such as `begin()`, `begin=0` or `begin:` is not prose.
  'begins?(?![(=:])|began': 'start',
  'else it|else they': 'otherwise',
};

export const BANNED_PHRASES: readonly BannedPhrase[] = Object.entries(PHRASES).map(([phrase, instead]) => ({
  pattern: new RegExp(`(?<![\\w-])(?:${phrase.replaceAll(' ', '\\s+')})(?![\\w-])`, 'gi'),
  instead,
}));
