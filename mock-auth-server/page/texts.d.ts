export const languages: readonly string[];
export const table: Readonly<Record<string, string[]>>;
export function languageFor(chosen: string | null, preferred: readonly string[]): string;
