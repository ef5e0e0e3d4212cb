export const programs: Readonly<Record<string, string>>;
export const programDirectory: string;
export function commandOf(main: string): string | undefined;
