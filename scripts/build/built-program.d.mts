export class BuildError extends Error {}
export function builtProgram(root: string, main: string): Promise<string | undefined>;
export function buildAll(root: string): Promise<string[]>;
