/** For tests: puts hostile text wherever text can come from outside. */

/** Breaks out of unescaped texts, attributes, scripts, styles and comments. */
export const HOSTILE = `<script>globalThis.harmed=1</script>"'><img src=x onerror=globalThis.harmed=1></style><!--]]>&amp;\u0000\u001b[2J\ud800`;

/** Members whose values are fixed names of the report. */
const OWN = new Set([
  'kind',
  'link',
  'outcome',
  'level',
  'phase',
  'what',
  'broke',
  'fault',
  'status',
  'conclusion',
  'requirements',
  'format',
  'mode',
  'id',
  'startedAt',
]);

/** Puts hostile text before every text that could come from outside; equal texts stay equal. */
export function hostile<T>(value: T, name = ''): T {
  if (typeof value === 'string') return (OWN.has(name) ? value : `${HOSTILE}${value}`) as T;
  if (Array.isArray(value)) return (OWN.has(name) ? value : value.map((item) => hostile(item))) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, hostile(member, key)])) as T;
}
