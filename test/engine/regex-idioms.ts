/** Regular expressions that people use on logs, with a piece of text that is repeated to 10 kB, and an ending. */
export interface RegexIdiom {
  readonly name: string;
  readonly body: string;
  readonly flags?: string;
  /** Repeated until the text is long. */
  readonly piece: string;
  /** Ends the text. Default: nothing. */
  readonly end?: string;
  /** Whether the text matches. */
  readonly matches: boolean;
}

const WORDS = 'The quick brown fox jumps over the lazy dog, again and again. ';
const FIELDS = 'user=alice action=login status=ok duration=12ms path=/api/v1/items ';
const JSON_TEXT = '{"user":"alice","action":"login","note":"said \\"hi\\" twice","n":12}, ';
const SYSLOG = 'Oct 11 22:14:15 web01 sshd[4721]: Accepted publickey for bob from 10.0.0.7 port 50122 ssh2; ';
const ACCESS =
  '203.0.113.9 - - [10/Oct/2025:13:55:36 +0000] "GET /index.html?q=1 HTTP/1.1" 200 2326 "-" "Mozilla/5.0" ';
const COMMAND = 'powershell.exe -NoProfile -ExecutionPolicy Bypass -Command "Get-ChildItem C:\\Temp" ';
const BLOB = 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo';
const LINES = 'INFO started worker\nDEBUG cache hit\nWARN slow request 1200 ms\n';
const CSV = '1,"Smith, John",42,"a ""quoted"" word",x;';
const XML = '<Data Name="TargetUserName">alice</Data><Data Name="IpAddress">10.1.2.3</Data>';

export const REGEX_IDIOMS: readonly RegexIdiom[] = [
  // Text without a word.
  { name: 'line without a word', body: '^((?!foo).)*$', piece: WORDS, matches: true },
  { name: 'line without a word that it has', body: '^((?!lazy).)*$', piece: WORDS, matches: false },
  { name: 'line without a word, checked once', body: '^(?!.*error).*$', piece: WORDS, matches: true },
  {
    name: 'line without a word, with three others',
    body: '^(?!.*error).*user=.*action=.*$',
    piece: FIELDS,
    matches: true,
  },
  {
    name: 'line without a word that ends it',
    body: '^(?!.*error).*user=.*action=.*$',
    piece: FIELDS,
    end: 'error',
    matches: false,
  },
  {
    name: 'line without several words',
    body: '^(?:(?!error|warn|fatal).)+$',
    flags: 'i',
    piece: WORDS,
    matches: true,
  },
  {
    name: 'text without a word, over lines',
    body: '\\A(?:(?!ERROR)[\\s\\S])*\\z',
    piece: LINES,
    matches: true,
  },
  {
    name: 'line that does not start with a level',
    body: '^(?!INFO|DEBUG|WARN)\\w+',
    piece: LINES,
    matches: false,
  },
  {
    name: 'line that does not end with a word',
    body: '^.*(?<!ms)$',
    piece: LINES,
    end: 'end',
    matches: true,
  },
  {
    name: 'word that is not followed by another',
    body: 'Accepted (?!password)\\w+ for',
    piece: SYSLOG,
    matches: true,
  },
  { name: 'word that is not preceded by another', body: '(?<!for )bob', piece: SYSLOG, matches: false },
  // Tempered dots.
  {
    name: 'from one word to the next of another',
    body: 'quick(?:(?!dog).)*fox',
    piece: WORDS,
    matches: true,
  },
  {
    name: 'from a word to itself without a third',
    body: 'quick(?:(?!lazy).)*quick',
    piece: WORDS,
    matches: false,
  },
  { name: 'the last of two words', body: 'user=(?!.*user=)(\\w+)', piece: FIELDS, matches: true },
  {
    name: 'element without a nested one',
    body: '<Data[^>]*>((?!</Data>).)*</Data>',
    piece: XML,
    matches: true,
  },
  { name: 'tempered dot over lines', body: 'INFO(?:(?!INFO)[\\s\\S])*ERROR', piece: LINES, matches: false },
  {
    name: 'tempered dot in a lazy loop',
    body: 'INFO(?:(?!WARN)[\\s\\S])*?cache',
    piece: LINES,
    matches: true,
  },
  { name: 'tempered dot with a bound', body: 'quick(?:(?!dog).){0,200}cat', piece: WORDS, matches: false },
  // Several words in any order.
  { name: 'two words in any order', body: '^(?=.*dog)(?=.*fox)', piece: WORDS, matches: true },
  {
    name: 'three words in any order, one missing',
    body: '^(?=.*dog)(?=.*fox)(?=.*cat).*$',
    piece: WORDS,
    matches: false,
  },
  { name: 'two words, unanchored', body: '(?=.*alice)(?=.*logout)', piece: FIELDS, matches: false },
  {
    name: 'password rules',
    body: '^(?=.*[A-Z])(?=.*[a-z])(?=.*\\d)(?=.*[^\\w\\s]).{8,}$',
    piece: BLOB,
    end: '1!',
    matches: true,
  },
  { name: 'word with a digit', body: '(?=\\w*\\d)\\w+@', piece: BLOB, matches: false },
  { name: 'a digit somewhere, then a mail address', body: '(?=.*\\d)\\w+@', piece: BLOB, matches: false },
  // Keys and values.
  {
    name: 'value up to the next key',
    body: 'action=(?<action>.*?)(?=\\s+\\w+=|$)',
    piece: FIELDS,
    matches: true,
  },
  {
    name: 'value up to a key that is missing',
    body: 'path=(?<p>.*?)(?=\\s+agent=)',
    piece: FIELDS,
    matches: false,
  },
  { name: 'all keys and values', body: '(?<k>\\w+)=(?<v>(?:(?!\\s\\w+=).)*)', piece: FIELDS, matches: true },
  {
    name: 'key with a quoted or bare value',
    body: 'note=(?:"([^"]*)"|(\\S+))(?=\\s|$)',
    piece: FIELDS,
    matches: false,
  },
  { name: 'key that no letter precedes', body: '(?<![\\w.])status=(\\w+)', piece: FIELDS, matches: true },
  { name: 'value after a key, by look-behind', body: '(?<=status=)\\w+', piece: FIELDS, matches: true },
  {
    name: 'value between two keys, by look-around',
    body: '(?<=status=).+?(?= duration)',
    piece: FIELDS,
    matches: true,
  },
  { name: 'three keys in order', body: 'user=.*status=.*missing=', piece: FIELDS, matches: false },
  // Repeated words and quotes.
  { name: 'repeated word', body: '\\b(\\w+)\\s+\\1\\b', piece: WORDS, matches: false },
  {
    name: 'repeated word at the end',
    body: '\\b(\\w+)\\s+\\1\\b',
    piece: WORDS,
    end: 'the the',
    matches: true,
  },
  {
    name: 'repeated word, without word boundaries',
    body: '(\\w{4,})\\W+\\1',
    flags: 'i',
    piece: WORDS,
    matches: false,
  },
  { name: 'repeated word in one long word', body: '(\\w+)\\s+\\1', piece: BLOB, matches: false },
  { name: 'quoted text with either quote', body: 'note=(["\']).*?\\1', piece: FIELDS, matches: false },
  { name: 'same value of two keys', body: 'user=(\\S+) .*owner=\\1', piece: FIELDS, matches: false },
  { name: 'element with its closing tag', body: '<(\\w+)[^>]*>[^<]*</\\1>', piece: XML, matches: true },
  {
    name: 'quoted text with escapes',
    body: '"note":"((?:[^"\\\\]|\\\\.)*)"',
    piece: JSON_TEXT,
    matches: true,
  },
  {
    name: 'quoted text with escapes, atomic',
    body: '"(?>[^"\\\\]+|\\\\.)*"$',
    piece: JSON_TEXT,
    matches: false,
  },
  {
    name: 'quoted text with escapes, possessive',
    body: '"(?:[^"\\\\]++|\\\\.)*+"\\z',
    piece: JSON_TEXT,
    matches: false,
  },
  {
    name: 'CSV field with doubled quotes',
    body: '(?:^|,)"((?:[^"]|"")*)"(?=,|$)',
    piece: CSV,
    matches: true,
  },
  {
    name: 'CSV with an even number of quotes after',
    body: ',(?=(?:[^"]*"[^"]*")*[^"]*$)',
    piece: CSV,
    matches: true,
  },
  {
    name: 'comma outside quotes, with one quote left',
    body: ';(?=(?:[^"]*"[^"]*")*[^"]*$)',
    piece: CSV,
    end: '"',
    matches: false,
  },
  // Possessive and atomic.
  { name: 'possessive word before a sign', body: '\\w++@\\w++', piece: BLOB, matches: false },
  { name: 'atomic number before a unit', body: '(?>\\d+)(?!ms|\\d)', piece: FIELDS, matches: true },
  { name: 'atomic alternatives', body: '(?>GET|POST|PUT) (?>/\\S*) HTTP/2', piece: ACCESS, matches: false },
  // Network and access logs.
  {
    name: 'address that is not private',
    body: '(?<!\\d)(?!10\\.|192\\.168\\.)(?:\\d{1,3}\\.){3}\\d{1,3}(?!\\d)',
    piece: ACCESS,
    matches: true,
  },
  {
    name: 'address that is private',
    body: '\\b(?=10\\.)(?:\\d{1,3}\\.){3}\\d{1,3}\\b',
    piece: ACCESS,
    matches: false,
  },
  { name: 'status that is not 2xx', body: '" (?!2\\d\\d )\\d{3} ', piece: ACCESS, matches: false },
  {
    name: 'request without a file extension',
    body: '"GET (?!\\S*\\.(?:css|js|html))\\S+ ',
    piece: ACCESS,
    matches: false,
  },
  { name: 'numbers with separators', body: '\\d(?=(?:\\d{3})+(?!\\d))', piece: ACCESS, matches: true },
  { name: 'user agent that is not a browser', body: '"(?!Mozilla)[^"]*"$', piece: ACCESS, matches: false },
  {
    name: 'switch: interface and state',
    body: '(?=.*?%(?<facility>\\w+)-(?<n>\\d)-).*?Interface (?<if>[^,]+), changed',
    piece: SYSLOG,
    matches: false,
  },
  {
    name: 'switch: optional parts in order',
    body: '^(?:(?<seq>\\d+): )?(?:(?<host>\\S+): )?.*?%(?<f>[A-Z]\\w+)-(?<s>\\d)-(?<m>\\w+): (?!debug)(?<t>.*)$',
    piece: SYSLOG,
    matches: false,
  },
  {
    name: 'host name',
    body: '(?=^.{1,20000}$)^(?:(?!-)[\\w-]{1,63}(?<!-)\\.)+[a-z]{2,}$',
    piece: 'web-01.',
    end: 'com',
    matches: true,
  },
  {
    name: 'mail address that is not ours',
    body: '[\\w.]+@(?!example\\.com)[\\w.]+\\.\\w+',
    piece: 'bob@example.com ',
    matches: false,
  },
  // Hunting.
  {
    name: 'encoded command',
    body: '(?i)powershell(?:\\.exe)?(?=.*-e(?:nc|ncodedcommand)?\\s+[\\w+/=]{40,})',
    piece: COMMAND,
    matches: false,
  },
  {
    name: 'process that is not in a system folder',
    body: '(?i)^(?!.*\\\\(?:windows|program files)\\\\).*\\\\svchost\\.exe',
    piece: COMMAND,
    matches: false,
  },
  {
    name: 'caret obfuscation',
    body: '(?:\\w\\^+){3,}(?=\\w)',
    piece: COMMAND,
    end: 'p^o^w^e^r',
    matches: true,
  },
  {
    name: 'double extension',
    body: '(?i)\\.(?:pdf|docx?)(?=\\.(?:exe|scr)\\b)',
    piece: COMMAND,
    matches: false,
  },
  {
    name: 'long base64 that is not hexadecimal',
    body: '(?![0-9a-f]{40,}\\b)[\\w+/]{40,}={0,2}(?=\\s|$)',
    piece: BLOB,
    matches: true,
  },
  {
    name: 'flags in any order',
    body: '(?=.*-NoProfile)(?=.*-WindowStyle Hidden).*-Command',
    piece: COMMAND,
    matches: false,
  },
  { name: 'camel case boundary', body: '(?<=[a-z])(?=[A-Z])', piece: COMMAND, matches: true },
  {
    name: 'stack trace without a known cause',
    body: '^(?!.*Caused by: java)[\\s\\S]*?\\n\\s+at (?!com\\.example)',
    piece: 'Error: x\n  at com.example.App\n',
    matches: false,
  },
  {
    name: 'two levels of parentheses',
    body: '\\((?:[^()]|\\([^()]*\\))*\\)(?!\\w)',
    piece: 'call(a, f(b), (c)); ',
    matches: true,
  },
  {
    name: 'unclosed parenthesis',
    body: '\\((?:[^()]++|\\([^()]*\\))*$',
    piece: 'call(a, f(b), (c)); ',
    end: '(x',
    matches: true,
  },
  { name: 'trailing blanks before a line break', body: '[ \\t]+(?=\\n)', piece: LINES, matches: false },
  {
    name: 'line between two others',
    body: '(?<=^INFO started worker\\n).*(?=\\nWARN)',
    piece: LINES,
    matches: true,
  },
];
