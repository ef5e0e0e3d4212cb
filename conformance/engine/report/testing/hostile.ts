/** For tests of the reports: replaces their texts by hostile text, to show that none of it is executed. */

/** Controls, and marks of direction, of width and of lines, which no output may have. */
export const MARKS = [
  ...['\u0000', '\u0007', '\u001b', '\u0085', '\u009b', '\u00ad', '\u061c', '\u180e'],
  ...['\u200b', '\u200d', '\u200e', '\u200f', '\u2028', '\u2029', '\u202a', '\u202e', '\u2060'],
  ...['\u2066', '\u2069', '\ufeff', '\ufff9', '\uffff', '\u{e0001}'],
];

/**
 * A text that would run a script if a report did not escape it: it ends texts, attributes, scripts, styles
 * and comments. It also has characters that act on terminals, or that XML cannot contain.
 */
export const HOSTILE = `<script>globalThis.harmed=1</script>"'><img src=x onerror=globalThis.harmed=1></style><!--]]>&amp;\u0000\u001b[2J\ud800${MARKS.join('')}\n ::error::x ##[error]y ##vso[z]`;

/** Members whose values the kit sets itself. They stay as they are. */
const OWN = new Set(
  `kind link outcome level part source phase what broke fault status conclusion requirements format mode id
  startedAt`.split(/\s+/),
);

/** Puts `text` before every text in a value that could come from outside. Equal texts stay equal. */
export function hostile<T>(value: T, name = '', text = HOSTILE): T {
  if (typeof value === 'string') return (OWN.has(name) ? value : `${text}${value}`) as T;
  if (Array.isArray(value))
    return (OWN.has(name) ? value : value.map((item) => hostile(item, '', text))) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, hostile(member, key, text)]),
  ) as T;
}
