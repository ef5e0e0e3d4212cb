export const root: string;
export function nodeProblem(version: string): string | undefined;
