/** The programs that are built into one file each. */

/** The name of each built file, and the module that it starts. */
const programs = {
  'embedded-ehr-harness': 'harness/main.ts',
  'ehr-server': 'ehr-server/main.ts',
  'ehr-auth-server': 'mock-auth-server/main.ts',
  'ehr-client': 'mock-client/main.ts',
  'ehr-fixtures': 'mis-fixtures/main.ts',
  demo: 'demo/main.ts',
  clock: 'demo/commands/clock.ts',
  fault: 'demo/commands/fault.ts',
};

/** The built file that several programs share; their own files only start it. */
export const KIT = 'kit';
const kitMain = 'harness/kit.ts';

/** The same for the programs of that file. */
const programsOfKit = {
  'ehr-conformance': 'conformance/main.ts',
  console: 'console/main.ts',
  e2e: 'e2e/command/installed.ts',
  interop: 'e2e/interop/main.ts',
};

/** The programs that are commands of an installed package. `embedded-ehr-harness` starts the others. */
export const commands = [
  'embedded-ehr-harness',
  'ehr-server',
  'ehr-auth-server',
  'ehr-client',
  'ehr-conformance',
  'ehr-fixtures',
];

export const programDirectory = 'dist/bin';

/** Every built file but the shared one of express. */
export const builtNames = [...Object.keys(programs), KIT, ...Object.keys(programsOfKit)];

/** Returns the module that a built file contains. Undefined for files that only start another one. */
export function mainOf(name) {
  return name === KIT ? kitMain : programs[name];
}

export const isOfKit = (name) => name in programsOfKit;

/** Returns the name of the built file that starts this module. Undefined for a module that is not built. */
export function nameOf(main) {
  const all = { ...programs, ...programsOfKit };
  return Object.keys(all).find((name) => all[name] === main);
}
