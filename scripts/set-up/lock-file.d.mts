export function withLock(
  file: string,
  what: string,
  work: (addHelper: (pid: number) => void) => Promise<unknown>,
  beat?: number,
): Promise<void>;
