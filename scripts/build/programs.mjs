/** The programs that are built into one file each. */

/** Command that an installed package offers, and name of the built file, to the module that it starts. */
export const programs = {
  'ehr-server': 'ehr-server/main.ts',
  'ehr-auth-server': 'mock-auth-server/main.ts',
  'ehr-client': 'mock-client/main.ts',
  'ehr-conformance': 'conformance/main.ts',
  'ehr-fixtures': 'mis-fixtures/main.ts',
};

/** Where the built programs stand, from the root of the project. */
export const programDirectory = 'dist/bin';

/** The command that runs this module; undefined for a module that is not built. */
export function commandOf(main) {
  return Object.keys(programs).find((command) => programs[command] === main);
}
