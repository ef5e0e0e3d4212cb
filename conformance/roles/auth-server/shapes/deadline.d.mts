/** A signal that aborts after so long, or with `closing`; `end` lets go of `closing`. */
export function deadline(
  closing: AbortSignal,
  milliseconds?: number,
): { signal: AbortSignal; end: () => void };
