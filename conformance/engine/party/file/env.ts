/** The environment variables of the kit. An adapter file may take values from them by `env: NAME`. */
export type Env = Readonly<Record<string, string | undefined>>;
