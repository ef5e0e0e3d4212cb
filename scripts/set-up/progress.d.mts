export function progress(
  title: string,
  options?: { stream?: { isTTY?: boolean; write(text: string): unknown }; quietFor?: number },
): { note(text: string): void; done(): void; failed(): void; clear(): void };
