export const languages: readonly string[];
export const table: Readonly<Record<string, string[]>>;
