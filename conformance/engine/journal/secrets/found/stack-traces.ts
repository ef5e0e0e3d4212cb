/** Recognizes stack traces, which reveal the inner workings of a server by mistake. */

/** Key: the platform. Value: a pattern of a line that only its stack traces have. */
const TRACES: Readonly<Record<string, RegExp>> = {
  Python: /Traceback \(most recent call last\)|File "[^"\n]+\.py", line \d+/,
  Java: /\bat [\w$.]+\.[\w$<>]+\((?:[\w$]+\.(?:java|kt|scala|groovy):\d+|Native Method|Unknown Source)\)/,
  'Node.js':
    /\bat (?:async )?(?:[^\n()]{1,200} \()?(?:file:\/\/|node:|\/|[A-Za-z]:\\)[^\s()]{1,300}:\d+:\d+\)?/,
  PHP: /#\d+ [^\n]{1,300}\.php\(\d+\)|\bin \/?[^\s]{1,300}\.php(?: on line |:)\d+/,
  Ruby: /\.rb:\d+:in [`']/,
  Go: /\bgoroutine \d+ \[[a-z ,\d]+\]:/,
  '.NET': /\bat [\w.`<>[\]+]+\([^\n)]{0,300}\) in [^\n]{1,300}:line \d+/,
};

/** Returns the platform of a stack trace in the text, escaped or not; undefined: there is none. */
export function traceIn(text: string): string | undefined {
  const plain = text
    .replaceAll('\\n', '\n')
    .replaceAll('\\"', '"')
    .replaceAll('\\/', '/')
    .replaceAll('\\\\', '\\');
  return Object.entries(TRACES).find(([, pattern]) => pattern.test(plain))?.[0];
}
