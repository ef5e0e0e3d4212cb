/** The programs that are built into one file each. */

/** Command that an installed package offers, and name of the built file, to the module that it starts. */
export const programs = {
  'ehr-server': 'ehr-server/main.ts',
  'ehr-auth-server': 'mock-auth-server/main.ts',
  'ehr-client': 'mock-client/main.ts',
  'ehr-conformance': 'conformance/main.ts',
  'ehr-fixtures': 'mis-fixtures/main.ts',
};

/** The same for what is run in a clone only. */
const tools = { demo: 'scripts/demo.ts' };

/** Where the built programs stand, from the root of the project. */
export const programDirectory = 'dist/bin';

/** The module that a built file starts; undefined where the file is none of ours. */
export function mainOf(name) {
  return programs[name] ?? tools[name];
}

/** The name of the built file that starts this module; undefined for a module that is not built. */
export function nameOf(main) {
  return [...Object.keys(programs), ...Object.keys(tools)].find((name) => mainOf(name) === main);
}

/** What a package must hold of the project (`files` of package.json) for the built programs to run. */
export const packed = [
  'dist/bin',
  '!dist/bin/*.json',
  '!dist/bin/demo.*',
  'mock-auth-server/page',
  'mock-client/dist',
  'conformance/adapter.schema.json',
  'conformance/examples',
];
