export const programs: Readonly<Record<string, string>>;
export const programDirectory: string;
export const packed: readonly string[];
