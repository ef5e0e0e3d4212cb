/** The environment of the kit, as files name its variables. */
export type Env = Readonly<Record<string, string | undefined>>;
