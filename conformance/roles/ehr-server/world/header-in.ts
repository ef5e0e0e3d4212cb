/** Reads a header of a message in the journal. Its values may be masked by letters that no header has. */

/** Returns the value of a header; null where there is none. */
export function headerIn(
  message: { headers: readonly (readonly [string, string])[] } | undefined,
  name: string,
): string | null {
  return message?.headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? null;
}
