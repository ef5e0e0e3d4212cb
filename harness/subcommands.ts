/** The subcommands of `embedded-ehr-harness`, by those whom they are for. */

export type Subcommand = {
  readonly name: string;
  /** The name of its built file. */
  readonly file: string;
  /** What it does, in one line. */
  readonly about: string;
};

export const subcommands: Readonly<Record<string, readonly Subcommand[]>> = {
  'For developers:': [
    { name: 'demo', file: 'demo', about: 'run all parties, with a console that shows every message' },
    { name: 'clock', file: 'clock', about: 'move the clocks of the demo that runs' },
    { name: 'fault', file: 'fault', about: 'make trouble between the parties of the demo that runs' },
    { name: 'auth-server', file: 'ehr-auth-server', about: 'run the mock authorization server alone' },
    { name: 'client', file: 'ehr-client', about: 'run the mock client alone' },
    { name: 'fixtures', file: 'ehr-fixtures', about: 'write patients into a database, or list the personas' },
  ],
  'For QA:': [
    { name: 'e2e', file: 'e2e', about: 'play every flow, with parties of your own too' },
    { name: 'interop', file: 'interop', about: 'find out which parties work with each other' },
  ],
  'For makers of a server or a client:': [
    { name: 'conformance', file: 'ehr-conformance', about: 'judge it: what is wrong, and where' },
  ],
  'For operators:': [
    {
      name: 'ehr-server',
      file: 'ehr-server',
      about: 'run the EHR server; audit and backup are commands of it',
    },
  ],
};
