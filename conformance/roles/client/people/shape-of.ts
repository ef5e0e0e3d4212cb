/** The form of a value, for reports that must not show it. */

/** The form of a value: digits become 9, letters become a. */
export function shapeOf(value: unknown): string {
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  return `"${value.slice(0, 40).replace(/\d/g, '9').replace(/\p{L}/gu, 'a')}"`;
}
