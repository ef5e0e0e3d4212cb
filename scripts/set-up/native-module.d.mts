export function wantedModule(root: string, node?: string): { version: string; isCompiled: boolean };
export function moduleProblem(root: string): string | undefined;
export function compilingProblem(env: NodeJS.ProcessEnv, versions?: { node: string }): string | undefined;
