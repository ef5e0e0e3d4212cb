/** For tests of the reports: replaces their texts by hostile text, to show that none of it is executed. */

/**
 * A text that would run a script if a report did not escape it: it ends texts, attributes, scripts, styles
 * and comments. It also has characters that act on terminals, or that XML cannot contain.
 */
export const HOSTILE = `<script>globalThis.harmed=1</script>"'><img src=x onerror=globalThis.harmed=1></style><!--]]>&amp;\u0000\u001b[2J\ud800`;

/** Members whose values the kit sets itself. They stay as they are. */
const OWN = new Set(
  `kind link outcome level part source phase what broke fault status conclusion requirements format mode id
  startedAt`.split(/\s+/),
);

/**
 * Puts hostile text before every text in a value that could come from outside. Equal texts stay equal.
 * @param name the name of the member that has the value
 * @param text what is put before them
 */
export function hostile<T>(value: T, name = '', text = HOSTILE): T {
  if (typeof value === 'string') return (OWN.has(name) ? value : `${text}${value}`) as T;
  if (Array.isArray(value))
    return (OWN.has(name) ? value : value.map((item) => hostile(item, '', text))) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, hostile(member, key, text)]),
  ) as T;
}
