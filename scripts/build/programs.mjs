/** The programs that are built into one file each. */

/**
 * The command of an installed package, which is also the name of the built file, and the module that it
 * starts.
 */
export const programs = {
  'ehr-server': 'ehr-server/main.ts',
  'ehr-auth-server': 'mock-auth-server/main.ts',
  'ehr-client': 'mock-client/main.ts',
  'ehr-conformance': 'conformance/main.ts',
  'ehr-fixtures': 'mis-fixtures/main.ts',
};

/** The same for programs that run in a clone only. */
const tools = { demo: 'demo/main.ts', console: 'console/main.ts', worlds: 'demo/worlds/main.ts' };

/** Programs that serve the client's pages, which are bundled with them. */
export const withClientPages = ['ehr-client', 'worlds'];

/** The directory of the built programs, relative to the root of the project. */
export const programDirectory = 'dist/bin';

/** Returns the module that a built file starts. Undefined for other files. */
export function mainOf(name) {
  return programs[name] ?? tools[name];
}

/** Returns the name of the built file that starts this module. Undefined for a module that is not built. */
export function nameOf(main) {
  return [...Object.keys(programs), ...Object.keys(tools)].find((name) => mainOf(name) === main);
}
